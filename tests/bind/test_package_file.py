#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The file of --package-file: what it may hold, and where packages have it."""

import tempfile
import unittest
from pathlib import Path

import tomllib
from headers import HERE, bind

GOOD = """
# a comment
version = "1.2.0"
license='MIT OR Apache-2.0'
""".replace("'", '"')

REFUSED = {
    'name = "x"': "1: expected version, license, license-files, authors or homepage, got name",
    'version = "1.2"': '1: version: expected three numbers such as 1.2.0, got "1.2"',
    'version = "1.2.03"': '1: version: expected three numbers such as 1.2.0, got "1.2.03"',
    "version = 1": '1: expected a text in "", got 1',
    'version = "1.2.3" x': "1: expected the end of the line, got x",
    "\n\n[project]": "3: expected a key, got [project]",
    'license = "MIT': '1: expected a text that ends with ", got the end of the line',
    'license = "M\\n"': '1: expected \\" or \\\\, got \\n"',
    'license = "MIT; rm"': '1: license: expected an SPDX expression such as MIT, got "MIT; rm"',
    'license = ""': "1: expected a text, got an empty one",
    'license-files = ["a/*"]': '1: license-files: expected names of files, got "a/*"',
    'authors = "Ada"': '1: expected a list in [], got "Ada"',
    'authors = ["Ada" "B"]': '1: expected , or ], got "B"]',
    'authors = ["Ada"': "2: expected , or ], got the end",
    'authors = ["Ada <x>"]': '1: authors: expected "Name" or "Name <address>", got "Ada <x>"',
    'homepage = "www.x.org"': '1: homepage: expected an address that begins with https://, got "www.x.org"',
    'version = "1.2.3"\nversion = "1.2.3"': "2: expected version once, got it again",
    "version": "1: expected = after version, got the end of the line",
}


class TestPackageFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, file, *more):
        command = [HERE / "kinds.h", "--name", "kinds", "--package-file", file, "--lang", "python,rust,go,julia"]
        return bind(*map(str, command), "--out", str(self.folder / "made"), *more)

    def test_package_file__every_package_has_it(self):
        self.assertEqual(self.made(HERE / "kinds.toml")[0], 0)
        self.assertEqual(self.made(HERE / "kinds.toml", "--check")[0], 0)
        made = self.folder / "made"
        ada = "Ada Lovelace <ada@example.org>"
        project = tomllib.loads((made / "python/pyproject.toml").read_text())["project"]
        self.assertEqual(project["version"], "0.1.7")
        self.assertEqual((project["license"], project["license-files"]), ("Apache-2.0", ["LICENSE"]))
        self.assertEqual(
            project["authors"], [{"name": "Ada Lovelace", "email": "ada@example.org"}, {"name": "Charles"}]
        )
        self.assertEqual(project["urls"], {"Homepage": "https://example.org/kinds"})
        crate = tomllib.loads((made / "rust/Cargo.toml").read_text())["package"]
        self.assertEqual(
            (crate["version"], crate["license"], crate["authors"]), ("0.1.7", "Apache-2.0", [ada, "Charles"])
        )
        self.assertEqual(crate["homepage"], "https://example.org/kinds")
        julia = tomllib.loads((made / "julia/Project.toml").read_text())
        self.assertEqual((julia["version"], julia["authors"]), ("0.1.7", [ada, "Charles"]))
        self.assertIn("// See https://example.org/kinds.\n", (made / "go/kinds.go").read_text())
        for language in ("python", "rust", "go", "julia"):
            self.assertIn("Apache License", (made / language / "LICENSE").read_text())

    def test_package_file__its_version_replaces_the_one_that_a_manifest_has(self):
        file = self.folder / "x.toml"
        for text, version in (
            ("", "0.1.0"),
            ('version = "2.0.1"', "2.0.1"),
            ("", "2.0.1"),
            ('version = "1.0.0"', "1.0.0"),
        ):
            file.write_text(text)
            self.assertEqual(self.made(file)[0], 0)
            for manifest in ("python/pyproject.toml", "rust/Cargo.toml", "julia/Project.toml"):
                self.assertIn(f'\nversion = "{version}"\n', (self.folder / "made" / manifest).read_text())

    def test_package_file__what_is_refused(self):
        file = self.folder / "x.toml"
        file.write_text(GOOD)
        self.assertEqual(self.made(file)[0], 0)
        for text, said in REFUSED.items():
            with self.subTest(text):
                file.write_text(text + "\n")
                status, _, error = self.made(file)
                self.assertEqual((status, error), (1, f"dlferry-bind: {file}:{said}\n"))
        file.write_bytes(b'license = "\xff"')
        self.assertEqual(self.made(file)[2], f"dlferry-bind: {file}:1: not UTF-8 text\n")
        file.write_text('license-files = ["nowhere"]')
        self.assertEqual(
            self.made(file)[2], f"dlferry-bind: cannot read {self.folder}/nowhere: No such file or directory\n"
        )


if __name__ == "__main__":
    unittest.main()
