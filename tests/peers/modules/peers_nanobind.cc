// SPDX-License-Identifier: Apache-2.0
// Arrays as a module made with nanobind takes and gives them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <vector>

namespace nb = nanobind;

// An array that a function has taken, as its caller would keep it.
struct Taken {
  nb::ndarray<nb::ro> array;

  static nb::object extents(const nb::ndarray<nb::ro> &a, bool strides) {
    nb::list found;
    for (size_t i = 0; i < a.ndim(); i++) found.append(strides ? a.stride(i) : static_cast<int64_t>(a.shape(i)));
    return nb::tuple(found);
  }
};

static nb::object make(nb::bytes image, std::vector<int> dtype, std::vector<size_t> shape, std::vector<int64_t> strides,
                       int64_t offset, bool read_only) {
  char *memory = new char[image.size() + 1];
  std::memcpy(memory, image.c_str(), image.size());
  nb::capsule owner(memory, [](void *p) noexcept { delete[] static_cast<char *>(p); });
  const nb::dlpack::dtype type = {static_cast<uint8_t>(dtype[0]), static_cast<uint8_t>(dtype[1]),
                                  static_cast<uint16_t>(dtype[2])};
  if (read_only)
    return nb::cast(
        nb::ndarray<nb::array_api, nb::ro>(memory + offset, shape.size(), shape.data(), owner, strides.data(), type));
  return nb::cast(nb::ndarray<nb::array_api>(memory + offset, shape.size(), shape.data(), owner, strides.data(), type));
}

NB_MODULE(peers_nanobind, m) {
  nb::class_<Taken>(m, "Taken")
      .def_prop_ro("address", [](const Taken &t) { return reinterpret_cast<uintptr_t>(t.array.data()); })
      .def_prop_ro("shape", [](const Taken &t) { return Taken::extents(t.array, false); })
      .def_prop_ro("strides", [](const Taken &t) { return Taken::extents(t.array, true); })
      .def_prop_ro("dtype", [](const Taken &t) {
        return nb::make_tuple(t.array.dtype().code, t.array.dtype().bits, t.array.dtype().lanes);
      });
  m.def("make", &make);
  m.def("take", [](nb::ndarray<> a) { return Taken{nb::ndarray<nb::ro>(a)}; }, nb::arg("a").noconvert());
  m.def("take_read_only", [](nb::ndarray<nb::ro> a) { return Taken{a}; }, nb::arg("a").noconvert());
}
