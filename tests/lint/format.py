# SPDX-License-Identifier: Apache-2.0
"""Check one language's formatting, or repair it: format.py c|python|rust|go TOOL [--fix].

Generated files are left out: the generator decides their format.
"""

import subprocess
import sys

from files import ROOT, sources


def c(tool, fix):
    names = sources(".c", ".h")
    return names, [tool, "-i", *names] if fix else [tool, "--dry-run", "-Werror", *names]


def python(tool, fix):
    names = sources(".py", ".pyi")
    run = subprocess.run([tool, "check", *(["--fix"] if fix else []), "--force-exclude", *names], cwd=ROOT)
    if run.returncode:
        sys.exit(run.returncode)
    return names, [tool, "format", *([] if fix else ["--diff"]), "--force-exclude", *names]


def rust(tool, fix):
    names = sources(".rs")
    return names, [tool, "--edition", "2021", "--config", "max_width=120", *([] if fix else ["--check"]), *names]


def go(tool, fix):
    names = sources(".go")
    return names, [tool, "-w" if fix else "-d", *names]


def main():
    language, tool = sys.argv[1:3]
    names, command = {"c": c, "python": python, "rust": rust, "go": go}[language](tool, "--fix" in sys.argv)
    if not names:
        print(f"not run: no {language} files")
        sys.exit(77)
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    print(run.stdout + run.stderr, end="")
    # gofmt tells its findings by its output alone.
    bad = run.returncode != 0 or (language == "go" and run.stdout.strip() and "--fix" not in sys.argv)
    print(f"format: {len(names)} {language} files{', not all formatted' if bad else ''}")
    sys.exit(bool(bad))


main()
