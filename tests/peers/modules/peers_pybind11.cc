// SPDX-License-Identifier: Apache-2.0
// Arrays as a module made with pybind11 takes and gives them: by the buffer protocol.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace py = pybind11;

// Memory of this module's own, shown as an array.
struct Memory {
  std::string bytes, format;
  std::vector<py::ssize_t> shape, strides;
  py::ssize_t offset, itemsize;
  bool read_only;

  py::buffer_info show() {
    return py::buffer_info(&bytes[0] + offset, itemsize, format, static_cast<py::ssize_t>(shape.size()), shape, strides,
                           read_only);
  }
};

PYBIND11_MODULE(peers_pybind11, m) {
  py::class_<Memory>(m, "Memory", py::buffer_protocol())
      .def(py::init([](py::bytes bytes, std::string format, std::vector<py::ssize_t> shape,
                       std::vector<py::ssize_t> strides, py::ssize_t offset, py::ssize_t itemsize,
                       bool read_only) { return Memory{bytes, format, shape, strides, offset, itemsize, read_only}; }))
      .def_buffer(&Memory::show)
      .def_property_readonly("info", &Memory::show);
  py::class_<py::buffer_info>(m, "Info")
      .def_property_readonly("address", [](const py::buffer_info &i) { return reinterpret_cast<uintptr_t>(i.ptr); })
      .def_readonly("format", &py::buffer_info::format)
      .def_readonly("itemsize", &py::buffer_info::itemsize)
      .def_readonly("shape", &py::buffer_info::shape)
      .def_readonly("strides", &py::buffer_info::strides)
      .def_readonly("read_only", &py::buffer_info::readonly);
  m.def("take", [](py::buffer b) { return b.request(); });
}
