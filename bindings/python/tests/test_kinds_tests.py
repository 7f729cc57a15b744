# SPDX-License-Identifier: Apache-2.0
"""The tests that a generated package carries."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.usefixtures("no_kinds_open")


def own_tests(kinds_site, folder, cwd=None):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(kinds_site), *sys.path[1:]])}
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env, cwd=cwd)


def test_own_tests__call_the_installed_package_inside_its_source_too(kinds_site):
    passed = own_tests(kinds_site, "tests", cwd=kinds_site.parent / "python")
    assert passed.returncode == 0, passed.stdout


def test_own_tests__pass_and_can_fail(kinds_site, tmp_path):
    tests = kinds_site.parent / "python" / "tests"
    passed = own_tests(kinds_site, tests)
    assert passed.returncode == 0, passed.stdout
    lines = (tests / "golden.txt").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("# no case breaks resample: out: f32[hook(") for line in lines)
    rows = [line for line in lines if not line.startswith("#")]
    accepted = [row for row in rows if "\tOK\t" in row]  # these calls are made again, with an offset
    assert len(rows) > 90 and f"{len(rows) + len(accepted) + 1} passed" in passed.stdout
    # Another text, another status, a refusal where there is none, other arguments, a line too few: each is seen.
    wrong = {
        "stack/out_h": lambda row: row.replace("is 3", "is 4"),
        "stack/out_w": lambda row: row.replace("SHAPE", "DTYPE"),
        "stack/accepted": lambda row: row.replace("OK", "SHAPE"),
        "range/x_dtype": lambda row: row.replace('x="f32', 'x="f64'),
    }
    rows = "\n".join(wrong.get(row.split("\t")[0], str)(row) for row in rows if not row.startswith("range/x_ndim\t"))
    (tmp_path / "golden.txt").write_text(rows)
    (tmp_path / "test_contract.py").write_text((tests / "test_contract.py").read_text(encoding="utf-8"))
    failed = own_tests(kinds_site, tmp_path)
    assert failed.returncode == 1 and f"{len(wrong) + 1} failed" in failed.stdout, failed.stdout
    for name in wrong:
        assert f"::test_call[{name}]" in failed.stdout, failed.stdout
    assert "::test_golden__has_a_line_for_each_call" in failed.stdout, failed.stdout
