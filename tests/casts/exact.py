# SPDX-License-Identifier: Apache-2.0
"""Formats of numbers by their definitions, and casts by exact arithmetic with Python's integers.

A finite number is a pair: a whole number of units of 2^-1100.
"""

from bisect import bisect_left

UNIT = 1100

# name: bits, fraction, bias, kind
FLOATS = {
    "float16": (16, 10, 15, "ieee"),
    "bfloat16": (16, 7, 127, "ieee"),
    "float32": (32, 23, 127, "ieee"),
    "float64": (64, 52, 1023, "ieee"),
    "float8_e3m4": (8, 4, 3, "ieee"),
    "float8_e4m3": (8, 3, 7, "ieee"),
    "float8_e4m3b11fnuz": (8, 3, 11, "fnuz"),
    "float8_e4m3fn": (8, 3, 7, "fn"),
    "float8_e4m3fnuz": (8, 3, 8, "fnuz"),
    "float8_e5m2": (8, 2, 15, "ieee"),
    "float8_e5m2fnuz": (8, 2, 16, "fnuz"),
    "float8_e8m0fnu": (8, 0, 127, "powers"),
    "float6_e2m3fn": (6, 3, 1, "finite"),
    "float6_e3m2fn": (6, 2, 3, "finite"),
    "float4_e2m1fn": (4, 1, 1, "finite"),
}
INTEGERS = {
    "bool": (0, 1),
    **{f"int{n}": (-(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64)},
    **{f"uint{n}": (0, 2**n - 1) for n in (8, 16, 32, 64)},
}
NAN, INFINITY = "nan", "infinity"


def bits_of(name):
    return FLOATS[name][0] if name in FLOATS else {"bool": 8}.get(name) or int(name.split("int")[1])


def decode(name, code):
    """The sign (True: negative), and the magnitude in units, NAN or INFINITY."""
    if name in INTEGERS:
        least, most = INTEGERS[name]
        if name == "bool":
            code = int(code != 0)
        value = code - (1 << bits_of(name)) if code > most and least < 0 else code
        return value < 0, abs(value) << UNIT
    bits, fraction_bits, bias, kind = FLOATS[name]
    if kind == "powers":
        return (False, NAN) if code == 255 else (False, 1 << (UNIT + code - bias))
    sign = bool(code >> (bits - 1))
    magnitude = code & ((1 << (bits - 1)) - 1)
    exponent, fraction = magnitude >> fraction_bits, magnitude & ((1 << fraction_bits) - 1)
    top = (1 << (bits - 1 - fraction_bits)) - 1
    if kind == "ieee" and exponent == top:
        return sign, NAN if fraction else INFINITY
    if kind == "fn" and magnitude == (1 << (bits - 1)) - 1:
        return sign, NAN
    if kind == "fnuz" and sign and magnitude == 0:
        return sign, NAN
    if exponent == 0:
        return sign, fraction << (UNIT + 1 - bias - fraction_bits)
    whole = fraction | 1 << fraction_bits
    return sign, whole << (UNIT + exponent - bias - fraction_bits)


def infinity_code(name):
    """The code of infinity, or the one that takes its place, without sign."""
    bits, fraction_bits, _, kind = FLOATS[name]
    everything = (1 << (bits - 1)) - 1
    return everything >> fraction_bits << fraction_bits if kind == "ieee" else everything


def largest_code(name):
    kind = FLOATS[name][3]
    code = infinity_code(name)
    return code - 1 if kind in ("ieee", "fn") else code


def round_wide(name, magnitude):
    """The code of the nearest number, as if exponents had no end: by division."""
    _, fraction_bits, bias, _ = FLOATS[name]
    lowest = UNIT + 1 - bias  # the bit of the least normal number
    exponent = max(magnitude.bit_length() - 1, lowest)
    shift = exponent - fraction_bits
    whole, rest = magnitude >> shift, magnitude & ((1 << shift) - 1)
    half = 1 << (shift - 1)
    if rest > half or (rest == half and whole & 1):
        whole += 1
    return whole + ((exponent - lowest) << fraction_bits)


LISTS = {}


def round_listed(name, magnitude):
    """The same by all numbers of the format, without arithmetic on codes."""
    if name not in LISTS:
        codes = range(largest_code(name) + 1)
        LISTS[name] = [decode(name, code)[1] for code in codes]
    numbers = LISTS[name]
    after = bisect_left(numbers, magnitude)
    if after == len(numbers):
        return round_wide(name, magnitude)
    if numbers[after] == magnitude or after == 0:
        return after
    below, above = magnitude - numbers[after - 1], numbers[after] - magnitude
    if below == above:
        return after - 1 if (after - 1) % 2 == 0 else after
    return after - 1 if below < above else after


def encode_power(magnitude, saturate):
    if magnitude == 0:
        return 255
    if magnitude == INFINITY:
        return 254 if saturate else 255
    low = magnitude.bit_length() - 1
    exponent = low - UNIT + 127
    if exponent < 0:
        return 0
    rest = magnitude - (1 << low)
    if exponent == 0:  # as ml_dtypes: all numbers between the least two powers go up
        return int(rest != 0)
    up = rest >= 1 << (low - 1)
    return min(exponent + up, 254 if saturate else 255)


def encode(name, sign, magnitude, saturate):
    """The code that a number becomes, without what NaN keeps."""
    if name in INTEGERS:
        return encode_integer(name, sign, magnitude)
    bits, fraction_bits, _, kind = FLOATS[name]
    sign_bit = int(sign) << (bits - 1)
    if kind == "powers":
        return 255 if sign or magnitude == NAN else encode_power(magnitude, saturate)
    if magnitude == NAN:
        return {
            "ieee": sign_bit | infinity_code(name) | 1 << (max(fraction_bits, 1) - 1),
            "fn": sign_bit | infinity_code(name),
            "fnuz": 1 << (bits - 1),
            "finite": sign_bit ^ (1 << (bits - 1)),
        }[kind]
    limit = largest_code(name)
    if magnitude == INFINITY:
        code = limit + 1
    elif bits <= 16:
        code = round_listed(name, magnitude)
    else:
        code = round_wide(name, magnitude)
    if code > limit:
        if not saturate and kind == "fnuz":
            return 1 << (bits - 1)
        code = limit if saturate or kind == "finite" else infinity_code(name)
    if code == 0 and kind == "fnuz":
        return 0
    return sign_bit | code


def encode_integer(name, sign, magnitude):
    least, most = INTEGERS[name]
    if name == "bool":
        return int(magnitude != 0)
    if magnitude == NAN:
        return 0
    if magnitude == INFINITY:
        value = least if sign else most
    else:
        value = magnitude >> UNIT
        value = -value if sign else value
    return max(least, min(most, value)) & ((1 << bits_of(name)) - 1)


def nan_code(source, code, name):
    """NaN between IEEE's formats of 16 bits and more, as NumPy has it, or None.

    To and from float16 the first bits of the payload stay as they are, and the last bit is set if
    all of them are 0. Processors do the same between float32 and float64, and set the first bit.
    ml_dtypes keeps bfloat16's payload to float32, and no other.
    """
    ieee = ("float16", "float32", "float64")
    if source == "bfloat16":
        quiet = {"float32": 0, "float64": 1}
        if name not in quiet:
            return None
    elif source in ieee and name in ieee:
        quiet = {"float16": 0, "float32": int(source == "float64")}
        quiet["float64"] = int(source == "float32")
    else:
        return None
    bits, fraction_bits, _, _ = FLOATS[source]
    payload = code & ((1 << fraction_bits) - 1)
    out_bits, out_fraction, _, _ = FLOATS[name]
    shift = out_fraction - fraction_bits
    payload = payload << shift if shift >= 0 else payload >> -shift
    if quiet[name]:
        payload |= 1 << (out_fraction - 1)
    if payload == 0:
        payload = 1
    sign = code >> (bits - 1)
    return sign << (out_bits - 1) | infinity_code(name) | payload


def cast(source, code, name, saturate=False):
    """The code of a number's nearest neighbour in another format."""
    if source == name:
        return code
    sign, magnitude = decode(source, code)
    if source in INTEGERS and name in INTEGERS and name != "bool" and not saturate:
        value = magnitude >> UNIT
        return (-value if sign else value) & ((1 << bits_of(name)) - 1)
    if magnitude == NAN and name in FLOATS:
        kept = nan_code(source, code, name)
        if kept is not None:
            return kept
    return encode(name, sign, magnitude, saturate)
