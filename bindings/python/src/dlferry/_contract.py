# SPDX-License-Identifier: Apache-2.0
"""Contracts for Python code: conditions on a call's arguments, checked by the hub."""

from collections import namedtuple

from . import _hub

Prototype = namedtuple("Prototype", "dtype shape strides device align")
Prototype.__doc__ = "Description of an output that a contract determines."


class Contract:
    """A function's conditions on its arguments, in the language of dlferry's C headers.

        blur = dlferry.Contract(
            "image: T[h, w];  out: T[h, w] noalias;  T in f32|f64;  sigma > 0",
            function="blur",
            parameters={"image": "input", "sigma": "real", "out": "output"},
        )
        out = blur.create("out", image, 1.5)  # zeros of the dtype and shape that the inputs determine
        blur.match(image, 1.5, out=out)  # with sigma -1: ValueError: blur: sigma is -1, wanted sigma > 0

    parameters maps the function's parameters, in order, to kinds: input, output, integer, unsigned, real, list (of
    inputs), array (of numbers), given (a tensor that the function returns) or other. An optional tensor may be None or
    missing. hooks maps the names in hook(f) to functions; once the inputs hold, each is called with the arguments that
    have the names of its parameters.

    >>> twice = dlferry.Contract("x: f32[n];  out: f32[n]", "twice", {"x": "input", "out": "output"})
    >>> twice
    <dlferry.Contract of twice(x: input, out: output): x: f32[n]; out: f32[n]>

    C: dlf_contract_compile
    """

    def __init__(self, text, function, parameters, hooks=None):
        self._names = tuple(parameters)
        self._kinds = tuple(parameters.values())
        self._function = function
        self._compiled = _hub.contract_compile(text, function, (self._names, self._kinds))
        import re
        from inspect import signature  # the two load for longer than all of dlferry

        called = dict.fromkeys(re.findall(r"\bhook\((\w+)\)", re.sub(r'"[^"]*"', "", self.format())))
        missing = [name for name in called if name not in (hooks or {})]
        if missing:
            raise TypeError(f"{function}: expected a function for hook({missing[0]}) in hooks, got none")
        self._hooks = [(hooks[name], tuple(signature(hooks[name]).parameters)) for name in called]

    def _arguments(self, given, named):
        """Return the arguments in the parameters' order, None for missing ones."""
        if len(given) > len(self._names):
            raise TypeError(f"{self._function}: expected at most {len(self._names)} arguments, got {len(given)}")
        values = dict(zip(self._names, given, strict=False))
        for name in named:
            if name not in self._names or name in values:
                known = "two values" if name in values else "no such parameter"
                raise TypeError(f"{self._function}: {name}: expected one value for a parameter, got {known}")
        values |= named
        return tuple(values.get(name) for name in self._names)

    def _with_hooks(self, arguments):
        """Return the arguments and the results of hooks; the inputs hold."""
        _hub.contract_match_inputs(self._compiled, (arguments, ()))
        known = dict(zip(self._names, arguments, strict=True))
        return arguments, tuple(hook(**{name: known[name] for name in names}) for hook, names in self._hooks)

    def _which(self, name):
        if name not in self._names:
            raise ValueError(f"{self._function}: expected the name of a parameter, got {name!r}")
        return self._names.index(name)

    def match(self, *given, **named):
        """Check a call. Outputs are proved writable, like those of a generated function.

        Fails with DTYPE, SHAPE, LAYOUT, DEVICE, READ_ONLY, or INVALID for a number out of its range or shared memory.

        >>> positive = dlferry.Contract("x > 0", "root", {"x": "real"})
        >>> positive.match(2.0)
        >>> positive.match(-1.0)
        Traceback (most recent call last):
        ...
        dlferry.errors.InvalidError: root: x is -1, wanted x > 0

        C: dlf_contract_match
        """
        arguments = self._arguments(given, named)
        _hub.contract_match(self._compiled, self._with_hooks(arguments) if self._hooks else (arguments, ()))

    def match_inputs(self, *given, **named):
        """Check only the inputs of a call.

        >>> twice = dlferry.Contract("x: f32[n];  out: f32[n]", "twice", {"x": "input", "out": "output"})
        >>> twice.match_inputs(dlferry.create("float32", [3]))

        C: dlf_contract_match_inputs
        """
        _hub.contract_match_inputs(self._compiled, (self._arguments(given, named), ()))

    def infer(self, output, /, *given, **named):
        """Describe an output that the inputs determine, once they hold. Returns a Prototype.

        >>> twice = dlferry.Contract("x: f32[n];  out: f32[n]", "twice", {"x": "input", "out": "output"})
        >>> twice.infer("out", dlferry.create("float32", [3])).shape
        (3,)

        C: dlf_contract_infer
        """
        arguments = self._with_hooks(self._arguments(given, named))
        return Prototype(*_hub.contract_infer(self._compiled, arguments, self._which(output)))

    def create(self, output, /, *given, **named):
        """Make an output that the inputs determine, once they hold: a Tensor of zeros.

        >>> twice = dlferry.Contract("x: f32[n];  out: f32[n]", "twice", {"x": "input", "out": "output"})
        >>> twice.create("out", dlferry.create("float32", [3])).tolist()
        [0.0, 0.0, 0.0]

        C: dlf_contract_create
        """
        arguments = self._with_hooks(self._arguments(given, named))
        return _hub.contract_create(self._compiled, arguments, self._which(output))

    def format(self, parameter=None):
        """Return the contract in its usual form, or one parameter's clause.

        >>> twice = dlferry.Contract("x:f32[n];out:f32[n]", "twice", {"x": "input", "out": "output"})
        >>> twice.format(), twice.format("x")
        ('x: f32[n]; out: f32[n]', 'f32[n]')

        C: dlf_contract_format
        """
        return _hub.contract_format(self._compiled, -1 if parameter is None else self._which(parameter))

    def __str__(self):
        return self.format()

    def __repr__(self):
        kinds = ", ".join(f"{name}: {kind}" for name, kind in zip(self._names, self._kinds, strict=True))
        return f"<dlferry.Contract of {self._function}({kinds}): {self.format()}>"
