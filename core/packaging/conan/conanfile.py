# SPDX-License-Identifier: Apache-2.0
"""dlferry for Conan 2, of the sources around it, a checkout's or those of the C archive.

conan create core/packaging/conan [-o "dlferry/*:shared=True"]
"""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Dlferry(ConanFile):
    name = "dlferry"
    description = "DLPack for C: a hub of tensors, and dlferry-bind, which writes checked C and packages of C headers"
    license = "Apache-2.0"
    homepage = url = "https://github.com/dlferry/dlferry"
    topics = "dlpack", "tensor", "bindings"
    languages = "C"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}  # noqa: RUF012 -- as Conan reads them
    default_options = {"shared": False, "fPIC": True}  # noqa: RUF012
    implements = ["auto_shared_fpic"]  # noqa: RUF012
    test_package_folder = "../consumer"

    def set_version(self):
        top = load(self, Path(self.recipe_folder, "../../../CMakeLists.txt"))
        self.version = re.search(r"project\(dlferry VERSION ([\d.]+)", top)[1]

    def export_sources(self):
        top = Path(self.recipe_folder, "../../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "core/*"):
            copy(self, pattern, top, self.export_sources_folder, excludes="core/packaging/*")  # the test is built there

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["DLFERRY_INSTALL_LIBRARIES"] = "shared" if self.options.shared else "static"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # dlferry's own files, which also have dlferry_add_bindings(), and no others that Conan writes.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/dlferry"]
        self.cpp_info.includedirs = ["include/dlferry"]
        self.cpp_info.libs = ["dlferry"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.sharedlinkflags = ["-Wl,-z,nodelete"]  # a live tensor's deleter is code
