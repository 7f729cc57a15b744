# SPDX-License-Identifier: Apache-2.0
"""Run NumPy's own test_dlpack.py, unmodified, with dlferry as the consumer and as the producer of its arrays.

    python numpy_suite.py                  # with the NumPy of this interpreter
    python numpy_suite.py --also 2.4 DIR   # with that one too, which pip installs below DIR; --write writes the table

As the consumer, dlferry imports each array that a test gives to np.from_dlpack, and its numpy() is the result. As the
producer, dlferry exports each of them: np.from_dlpack reads a dlferry.Tensor, and the arrays' own __dlpack__ is a
Tensor's. The file comes from the installed wheel. It gets another np after its import; nothing in it is edited.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "docs" / "numpy_suite.md"
ROLES = ("consumer", "producer")

# Tests that expect NumPy's own choices: the role, and the sentence that dlferry follows instead.
EXCEPTIONS = {
    "TestDLPack::test_dunder_dlpack_stream": (
        "producer",
        "wants NumPy's text in the exception. dlferry raises ValueError too, with its own text.",
        "D8",
    ),
    "TestDLPack::test_readonly": (
        "producer",
        "wants a BufferError if a consumer of DLPack 0.8 asks for read-only data and does not say whether it may be "
        "copied. dlferry copies: copy None means that data is copied if it cannot be shared.",
        "D39",
    ),
}


def namespace(role):
    """NumPy's module for the tests, with dlferry in its from_dlpack or in its arrays."""
    import dlferry
    import numpy as np

    real = np.from_dlpack

    class Exported(np.ndarray):
        """An array that dlferry exports."""

        def __dlpack__(self, **keywords):
            return dlferry.from_dlpack(self.view(np.ndarray)).__dlpack__(**keywords)

        def __dlpack_device__(self):
            return dlferry.from_dlpack(self.view(np.ndarray)).__dlpack_device__()

    def exported(make):
        """The copy owns its memory, so that the tests see references to itself."""
        return lambda *arguments, **keywords: make(*arguments, **keywords).view(Exported).copy()

    def consume(x, /, **keywords):
        return dlferry.from_dlpack(x, **keywords).numpy()

    def produce(x, /, **keywords):
        return real(x if isinstance(x, Exported) else dlferry.from_dlpack(x), **keywords)

    class Namespace:
        from_dlpack = staticmethod(consume if role == "consumer" else produce)

        def __getattr__(self, name):
            return getattr(np, name)

    made = Namespace()
    if role == "producer":
        for name in ("arange", "array", "asarray", "zeros"):
            setattr(made, name, exported(getattr(np, name)))
    dlferry.from_dlpack(np.zeros(1)).numpy()  # dlferry finds NumPy's own from_dlpack first
    return made


class Plugin:
    def __init__(self, role):
        self.role, self.outcomes = role, {}

    def pytest_collection_modifyitems(self, items):
        for item in items:
            item.module.np = self.np

    def pytest_collection(self):
        self.np = namespace(self.role)

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.partition("::")[2]
        if report.when == "call" or report.outcome != "passed":
            bad = self.outcomes.get(name) == "failed" or report.outcome == "failed"
            self.outcomes[name] = "failed" if bad else report.outcome


def run_here(role, verbose):
    """Outcomes by test, from a pytest inside of this process."""
    import dlferry
    import numpy as np
    import pytest

    plugin = Plugin(role)
    suite = Path(np.__file__).parent / "_core" / "tests" / "test_dlpack.py"
    with tempfile.TemporaryDirectory() as root:
        options = ["--noconftest", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", root, "-W", "ignore"]
        shown = ["-v", "--tb=short"] if verbose else ["-q", "-q", "--tb=no", "--no-summary"]
        with open(os.devnull if not verbose else "/dev/stderr", "w") as out:
            keep, sys.stdout = sys.stdout, out
            try:
                pytest.main([*options, *shown, str(suite)], plugins=[plugin])
            finally:
                sys.stdout = keep
    return {
        "numpy": np.__version__,
        "python": sys.version.split()[0],
        "dlferry": dlferry.__version__,
        "outcomes": plugin.outcomes,
    }


def run(role, folder=None):
    """The same in a fresh process, perhaps with the packages of a folder before its own."""
    command = [sys.executable, __file__, "--role", role]
    env = {**os.environ, **({"PYTHONPATH": str(folder)} if folder else {})}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise SystemExit(f"numpy_suite: {' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def install(version, folder):
    """Put a NumPy into a folder, unless it is there; None if pip cannot."""
    folder = Path(folder, f"numpy-{version}")
    if not (folder / "numpy").exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
        if subprocess.run([*pip, f"numpy=={version}.*"], check=False).returncode:
            return None
    return folder


def failures(result):
    """Names of failed tests, without their parameters."""
    return {name.partition("[")[0] for name, outcome in result["outcomes"].items() if outcome == "failed"}


def unexpected(result, role):
    """Differences between the failures and the list of exceptions."""
    known = {name.partition("[")[0] for name in result["outcomes"]}
    wanted = {name for name, (of, *_) in EXCEPTIONS.items() if of == role and name in known}
    return failures(result) ^ wanted


def table(results):
    lines = [
        "# NumPy's own test suite",
        "",
        "NumPy's `test_dlpack.py` runs unmodified, from the installed wheel, with dlferry as the consumer and as the",
        "producer of its arrays. Numbers count tests with their parameters. `cmake --build --preset test --target",
        "numpy_suite` writes this table.",
        "",
        "| NumPy | CPython | dlferry is | passed | failed |",
        "|---|---|---|---|---|",
    ]
    for role, result in results:
        bad = sorted({name.partition("::")[2] for name in failures(result)})
        count = sum(outcome == "passed" for outcome in result["outcomes"].values())
        lines.append(
            f"| {result['numpy']} | {result['python']} | {role} | {count} of {len(result['outcomes'])} | "
            f"{', '.join(f'`{name}`' for name in bad) or 'none'} |"
        )
    lines += ["", "Failed tests expect NumPy's own choices:", ""]
    lines += ["| test | it | row of [the specification](specification.md) |", "|---|---|---|"]
    for name, (_, why, row) in EXCEPTIONS.items():
        lines.append(f"| `{name.partition('::')[2]}` | {why} | {row} |")
    return "\n".join([*lines, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--also", nargs=2, metavar=("VERSION", "DIR"), help="run with this NumPy too")
    parser.add_argument("--role", choices=ROLES, help="run here and print JSON")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--write", action="store_true", help="write docs/numpy_suite.md")
    options = parser.parse_args()
    if options.role:
        print(json.dumps(run_here(options.role, options.verbose)))
        return 0
    folders = [install(*options.also)] if options.also else []
    if folders == [None]:
        print(f"numpy_suite: not run with NumPy {options.also[0]}: pip cannot install it")
    found = [folder for folder in folders if folder]
    results = [(role, run(role, folder)) for folder in [*found, None] for role in ROLES]
    text = table(results)
    if options.write and found == folders:
        TABLE.write_text(text, encoding="utf-8")
    print(text)
    bad = False
    for role, result in results:
        names = sorted(unexpected(result, role))
        if names:
            bad = True
            print(f"numpy_suite: {role}, NumPy {result['numpy']}: not as EXCEPTIONS says: {', '.join(names)}")
    return bad


if __name__ == "__main__":
    sys.exit(main())
