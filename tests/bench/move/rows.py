# SPDX-License-Identifier: Apache-2.0
"""The rows of the bench: what is moved, which loops by hand stand beside it, and what the ratios should be.

A ratio is a peer's time over dlferry's: an aim of 2 asks that dlferry takes half of the peer's time.
"""

from dataclasses import dataclass, field, replace

from exact import FLOATS

FASTEST = {"NumPy": 1, "torch": 1}
AT_MEMORY = {"memcpy's rate": 0.95, "torch": 1}
SMALL_FLOATS = [name for name, (bits, *_) in FLOATS.items() if bits == 8]
FP4 = "float4_e2m1fn"
LARGE = 64 << 20  # elements of float32: 256 MiB
CAST = 16 << 20
NEW_DENSE = ("malloc + memcpy", "huge pages + memcpy")
TURN_NEW = "huge pages + streamed blocks"
PASS = "read and write by hand"
RESIZE = "cut or widen by hand"
RESIZE_CACHED = "the same without streams"


@dataclass(frozen=True)
class Row:
    name: str
    shape: tuple  # of an array x
    dtype: str
    view: str = "x"  # what is moved
    to: str = ""  # another dtype
    new: bool = False  # into new memory
    small_pages: bool = False  # of 4 KiB, as malloc's are
    hand: tuple = ()  # peers in C
    aims: dict = field(default_factory=dict)
    most_over_loop: float = 0  # nanoseconds over the loop by hand, from C
    shown: bool = False  # in the main README

    def like(self, **changes):
        return replace(self, **changes)


def moves():
    """The contiguous copies, and the views."""
    dense = Row("contiguous into 256 MiB", (LARGE,), "float32", hand=("memcpy",), aims={"memcpy": 0.95})
    large = dense.like(hand=("memcpy", "stream by hand"), aims={"memcpy": 0.95, "stream by hand": 0.95})
    yield large.like(shown=True)
    yield large.like(name=f"{large.name}, small pages", small_pages=True)
    yield dense.like(name="contiguous into 16 MiB", shape=(LARGE // 16,))
    yield dense.like(name="contiguous into 1 MiB", shape=(LARGE // 256,))
    yield dense.like(name="contiguous into 256 KiB", shape=(LARGE // 1024,))
    yield dense.like(
        name="contiguous, new 256 MiB",
        new=True,
        hand=NEW_DENSE,
        aims={"huge pages + memcpy": 1 / 1.1, "NumPy": 0.95, "torch": 5},
        shown=True,
    )
    yield from transposes()
    yield from views()


def transposes():
    turn = Row("transpose 4096 x 4096 float32", (4096, 4096), "float32", "x.T")
    blocks = ("streamed blocks by hand", "blocks by hand")
    into = turn.like(hand=blocks, aims={"torch": 1.3, "streamed blocks by hand": 0.9})
    yield into.like(shown=True)
    yield into.like(name=f"{turn.name}, small pages", small_pages=True)
    yield turn.like(name=f"{turn.name}, new", new=True, hand=(*NEW_DENSE, TURN_NEW), aims={"torch": 2})
    small = turn.like(name="transpose 4096 x 4096 uint8", dtype="uint8", aims={"torch": 4})
    yield small.like(hand=("blocks by hand",), shown=True)
    yield small.like(name=f"{small.name}, new", new=True, hand=NEW_DENSE, aims={})
    permuted = Row("permute [64, 128, 256] to (2, 0, 1)", (64, 128, 256), "float32", "x.transpose(2, 0, 1)")
    yield permuted.like(hand=blocks, aims={"NumPy": 10}, shown=True)
    yield permuted.like(name=f"{permuted.name}, new", new=True, hand=NEW_DENSE, aims={"JAX": 2}, shown=True)


def views():
    loop = ("loop by hand",)
    for name, shape, dtype, view in [
        ("x[:, ::2] uint8, 4096 x 8192", (4096, 8192), "uint8", "x[:, ::2]"),
        ("x[:, ::2] float32, 2048 x 4096", (2048, 4096), "float32", "x[:, ::2]"),
        ("x[::2] float32, 4096 x 2048", (4096, 2048), "float32", "x[::2]"),
        ("broadcast a row, float32 2048 x 2048", (1, 2048), "float32", "np.broadcast_to(x, (x.shape[1],) * 2)"),
        ("broadcast a column, float32 2048 x 2048", (2048, 1), "float32", "np.broadcast_to(x, (x.shape[0],) * 2)"),
        ("[480, 640, 3] uint8 to planes", (480, 640, 3), "uint8", "x.transpose(2, 0, 1)"),
        ("planes to [480, 640, 3] uint8", (3, 480, 640), "uint8", "x.transpose(1, 2, 0)"),
    ]:
        yield Row(name, shape, dtype, view, hand=loop, aims=FASTEST, shown=name.startswith("x[:, ::2] uint8"))
    yield from flips()
    for width in (1, 2, 3, 4, 6, 8, 12, 16):
        yield Row(
            f"2^22 rows of {width} bytes",
            (1 << 22, 2 * width),
            "uint8",
            f"x[:, :{width}]",
            hand=loop,
            aims=FASTEST,
            shown=width == 8,
        )
    yield Row("2^22 rows of 4 uint16", (1 << 22, 8), "uint16", "x[:, :4]", hand=loop, aims=FASTEST)


def flips():
    for name, side, dtype, view in [
        ("x[:, ::-1] uint8, 4096 x 4096", 4096, "uint8", "x[:, ::-1]"),
        ("x[:, ::-1] float32, 2048 x 2048", 2048, "float32", "x[:, ::-1]"),
        ("x[::-1] float32, 2048 x 2048", 2048, "float32", "x[::-1]"),
        ("x[::-1, ::-1] float32, 2048 x 2048", 2048, "float32", "x[::-1, ::-1]"),
    ]:
        row = Row(name, (side, side), dtype, view, hand=("loop by hand",), aims=FASTEST)
        yield row
        yield row.like(name=f"{name}, new", new=True, hand=NEW_DENSE)


def casts():
    """One dtype to another, and both at once."""
    for pair in [
        ("float32", "bfloat16"),
        ("bfloat16", "float32"),
        ("float32", "float16"),
        ("float16", "float32"),
        ("int8", "float32"),
        ("float64", "float32"),
    ]:
        yield cast(*pair, aims=AT_MEMORY, shown=pair == ("float32", "bfloat16"))
    for name in SMALL_FLOATS:
        aims = {"memcpy's rate": 0.8, "torch": 1}
        known = name == "float8_e4m3fn"
        yield cast("float32", name, aims=aims, shown=known)
        yield cast(name, "float32", aims={**aims, "torch": 10} if known else aims, shown=known)
    for pair in (("float32", FP4), (FP4, "float32")):
        yield cast(*pair, aims={"ml_dtypes": 20}, shown=pair[1] == FP4)
    yield from strided_casts()


def cast(source, destination, **more):
    hand = (PASS,) if FP4 in (source, destination) else (PASS, RESIZE, RESIZE_CACHED)
    return Row(f"{source} to {destination}", (CAST,), source, to=destination, hand=hand, **more)


def strided_casts():
    for name, shape, dtype, view, to in [
        ("x[:, ::2], float32 to bfloat16", (4096, 8192), "float32", "x[:, ::2]", "bfloat16"),
        ("x.T, float32 to float16", (4096, 4096), "float32", "x.T", "float16"),
        ("x.T, uint8 to float32", (4096, 4096), "uint8", "x.T", "float32"),
        ("[480, 640, 3] uint8 to planes of float32", (480, 640, 3), "uint8", "x.transpose(2, 0, 1)", "float32"),
    ]:
        row = Row(name, shape, dtype, view, to, aims={"torch": 1.5}, shown=name.startswith("x[:"))
        if view == "x[:, ::2]":
            row = row.like(hand=(PASS,))
        yield row
        yield row.like(name=f"{name}, new", new=True, shown=False)


def small():
    """So little that the call is what is timed."""
    for name, shape, dtype, view in [
        ("1 element", (1,), "float32", "x"),
        ("64 elements", (64,), "float32", "x"),
        ("[8, 8] float32, transposed", (8, 8), "float32", "x.T"),
        ("[4, 4, 4] uint64, every second", (4, 4, 8), "uint64", "x[:, :, ::2]"),
        ("[4, 4, 4] float32, transposed", (4, 4, 4), "float32", "x.transpose(2, 1, 0)"),
    ]:
        hand = ("loop by hand", "checked loop by hand")
        yield Row(name, shape, dtype, view, hand=hand, most_over_loop=30, shown=name == "1 element")


# ---- how cost grows ----

NEW = "axes reversed, new"  # JAX always makes its results
FORMS = {
    "dense": "x",
    "every second": "x[..., ::2]",
    "reversed": "x[..., ::-1]",
    "first half of each row": "x[..., : x.shape[-1] // 2]",
    "axes reversed": "x.T",
    NEW: "x.T",
    "last axis broadcast": "np.broadcast_to(x, (*x.shape[:-1], LAST))",
}
SHOWN_RANK = 3
DOUBLED = ("every second", "first half of each row")


def grown(form, rank, size):
    """A row of float32 whose result has `size` bytes, and extents as alike as powers of two can be."""
    bits = (size // 4).bit_length() - 1
    extents = [1 << (bits // rank + (axis < bits % rank)) for axis in range(rank)]
    view = FORMS[form].replace("LAST", str(extents[-1]))
    if form in DOUBLED:
        extents[-1] *= 2
    if form == "last axis broadcast":
        extents[-1] = 1
    return Row(f"{form}, rank {rank}, {size} bytes", tuple(extents), "float32", view, new=form == NEW)
