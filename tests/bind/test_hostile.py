#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Headers that would make a careless parser crash, or run forever.

DLFERRY_SEED and DLFERRY_ROUNDS choose the mutations.
"""

import os
import random
import subprocess
import unittest

from headers import BIND, ENVIRONMENT, HERE, LANGUAGES, PHOTO, Headers, bind


class TestHostile(Headers):
    """Any header quickly gives an IR or a refusal: no crash, no sanitizer report."""

    def test_hostile__bombs_are_defused(self):
        deep = 40_000
        bombs = [
            "(" * deep, "int f" + "(" * deep, "int " + "*" * deep + "f;", "int (" * deep, "int f(int (*" * deep,
            "{" * deep, "enum e { A = " + "(" * deep, "enum e { A = " + "-" * deep, "enum e { A = " + "1?" * deep,
            "#if " + "!" * deep, "#if " + "(" * deep, "#if 1\n" * deep, "struct s {" * deep, "extern \"C\" {" * deep,
            "int f(" + "int a," * deep, "/**" * deep, "\\\n" * deep, "#define A A\nA", "#define A B\n#define B A\nA x;",
            "".join(f"#define M{i} M{i + 1} M{i + 1}\n" for i in range(60)) + "M0",
            "".join(f"#define M{i} M{i + 1} M{i + 1}\n" for i in range(60)) + "#define M60\nM0",
            "/** @contract x: f32[" + "(" * deep + "*/ int f(const DLTensor *x);",
            "/** " + "@param x " * deep + "*/ int f(int x);", "int a" + "[1]" * deep + ";", "x" * 1_000_000 + " y;",
            "typedef int t;" * 10_000, "int f(void);" * 10_000, "#define X " + "Y " * 1000 + "\n" + "X " * 1200,
        ]  # fmt: skip
        for text in bombs:
            with self.subTest(text[:60]):
                bind(self.write(text), "--name", "k", "--ir")

    def test_hostile__mutated_headers_never_crash(self):
        seed = int(os.environ.get("DLFERRY_SEED", "1"))
        rng = random.Random(seed)
        names = ("all.h", "twin.h", "input.h", "kinds.h", "odd.h")
        sources = [PHOTO.read_bytes(), *((HERE / name).read_bytes() for name in names)]
        pieces = rb"""( ) { } [ ] */ /* /** // #if #endif " ' ... enum typedef const * , ; @contract \\ \x80""".split()
        pieces += [b"\\\n", b"\n#endif\n", b"\n#define photo_ x\n", b"\x80"]
        for _ in range(int(os.environ.get("DLFERRY_ROUNDS", "60"))):
            text = bytearray(rng.choice(sources))
            for _ in range(rng.randrange(1, 6)):
                at, size = rng.randrange(len(text)), rng.choice((1, 1, 4, 40, 400))
                what = rng.randrange(4)
                if what == 0:
                    del text[at : at + size]
                elif what == 1:
                    text[at:at] = rng.choice(pieces)
                elif what == 2:
                    text[at:at] = text[rng.randrange(len(text)) :][:size]
                else:
                    text[at] = rng.randrange(256)
            with self.subTest(seed=seed, text=bytes(text)):
                bind(self.write(bytes(text)), "--name", "photo", "--lang", LANGUAGES, "--out", self.folder / "out")

    def test_hostile__a_long_header_takes_memory_in_proportion(self):
        for text in (
            "/** F.\n" + " * A line of text.\n" * 20000 + " */\nint k_f(int a);",
            "/** F.\n" + " * @param a text\n" * 20000 + " */\nint k_f(int a);",
            "/** F.\n * @contract a > 0\n" + " * ; a > 0\n" * 20000 + " */\nint k_f(int a);",
            "".join(f"typedef enum k_e{i} {{ K_{i} }} k_e{i};\nint k_f{i}(int a);\n" for i in range(4000)),
            f"int k_f(int {'*' * 50000}a);\nint {'*' * 50000}k_g(int a);",
        ):
            command = subprocess.Popen([BIND, self.write(text), "--name", "k", "--ir"], env=ENVIRONMENT,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            _, status, used = os.wait4(command.pid, 0)
            command.returncode = os.waitstatus_to_exitcode(status)
            with self.subTest(text[:60]):
                self.assertIn(command.returncode, (0, 1))
                self.assertLess(used.ru_maxrss, 800_000)  # KiB, with a sanitizer's own

    def test_hostile__every_emitter_takes_every_header(self):
        for name in ("all", "twin", "agree", "kinds", "odd"):
            with self.subTest(name):
                header, out = HERE / f"{name}.h", self.folder / name
                status, _, said = bind(header, "--name", name, "--lang", LANGUAGES, "--out", out)
                self.assertEqual(status, 0, said)
                for language in LANGUAGES.split(","):
                    self.assertTrue(any((out / language).rglob("*")), language)


if __name__ == "__main__":
    unittest.main()
