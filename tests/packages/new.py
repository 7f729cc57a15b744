# SPDX-License-Identifier: Apache-2.0
"""dlferry-bind --new in an empty folder: the project builds, and its tests pass in every language present.

new.py RELEASE BUILD CMAKE CTEST [LANGUAGE=PROGRAM ...] [lock=Cargo.lock]

The project itself names dlferry as if it were published; this tells each tool where RELEASE, which core/release.cmake
wrote, has it. BUILD is a build of its C archive.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from command import run
from unpublished import prepare

RELEASE = Path(sys.argv[1])
BUILD, CMAKE, CTEST = sys.argv[2:5]
HAVE = dict(word.split("=", 1) for word in sys.argv[5:])
MESSAGE = "scale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n]"


def main():
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        run(CMAKE, "--install", BUILD, "--prefix", work / "prefix")
        program = work / "prefix/bin/dlferry-bind"
        version = run(program, "--version").split()[-1]
        project = work / "an empty folder" / "demo"  # the printed command is for a shell
        said = run(program, "--new", "demo", project)
        assert f"cd '{project}' && cmake -S ." in said, said

        env = prepare(RELEASE, HAVE, work, project, version)
        programs = [
            f"-D{key.upper()}={HAVE.get(value, '')}"
            for key, value in (("python", "python"), ("cargo", "rust"), ("go", "go"), ("julia", "julia"))
        ]
        run(CMAKE, "-S", project, "-B", project / "build", *programs, env=env)
        run(CMAKE, "--build", project / "build", env=env)
        told = run(CTEST, "--test-dir", project / "build", "--verbose", env=env)
        languages = ["c", *(language for language in ("python", "rust", "go", "julia") if language in HAVE)]
        assert f"/{len(languages) + ('python' in HAVE)} Test " in told, told
        for language in languages:
            assert told.count(f": {language} ..") == 1, (language, told)
        assert told.count(MESSAGE) == 1, told  # from C; the others hide the output of passing tests

        # The tests can fail: C's where the kernel computes something else, a package's where golden.txt says something
        # else of one call.
        kernel = project / "demo.c"
        kernel.write_text(kernel.read_text().replace("factor *", "factor +"))
        run(CMAKE, "--build", project / "build", env=env)
        for golden in project.glob("packages/**/golden.txt"):
            text = golden.read_text()
            assert text.count("expected f32; got f64[2]") == 2, text
            golden.write_text(text.replace("expected f32; got f64[2]", "expected f32; got f16[2]", 1))
        done = subprocess.run([CTEST, "--test-dir", project / "build"], capture_output=True, text=True, env=env)
        failed = [language for language in languages if f" {language} (Failed)" in done.stdout]
        assert failed == languages, done.stdout

        # Existing files are never overwritten.
        before = kernel.read_text()
        refused = subprocess.run([program, "--new", "demo", project], capture_output=True, text=True)
        assert refused.returncode == 1 and "already exists" in refused.stderr, refused
        assert kernel.read_text() == before
    print(f"new: tests pass, and fail where they should, in {', '.join(languages)}")
    missing = [language for language in ("python", "rust", "go", "julia") if language not in HAVE]
    if missing:
        print(f"not run: {', '.join(missing)}")


main()
