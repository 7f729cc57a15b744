# SPDX-License-Identifier: Apache-2.0
"""Conan's test of the package: this project, built with it and run."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Consumer(ConanFile):
    languages = "C"
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "VirtualRunEnv"

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires(self.tested_reference_str)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            program = Path(self.build_folder, self.cpp.build.bindir, "consumer")
            self.run(f'"{program}"', env="conanrun")
