// SPDX-License-Identifier: Apache-2.0
// The kernel of three tensors as users of nanobind write it: dtype, rank, layout and device are nanobind's to check,
// and nothing is converted; equal shapes are checked here, overlap is not. The GIL stays held.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <stdexcept>

namespace nb = nanobind;
using Input = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static void difference(Input a, Input b, Output out) {
  for (size_t i = 0; i < 2; i++)
    if (b.shape(i) != a.shape(i) || out.shape(i) != a.shape(i)) throw std::invalid_argument("expected equal shapes");
  const float *p = a.data(), *q = b.data();
  float *far = out.data();
  const size_t pixels = a.shape(0) * a.shape(1);
  for (size_t i = 0; i < pixels; i++) far[i] = std::fabs(p[i] - q[i]);
}

// An object as users of nanobind write it, which leaves taking turns to them: under the GIL, which it holds.
struct Box {
  int64_t value;
  void add(int64_t more) { value += more; }
  int64_t get() const { return value; }
};

NB_MODULE(peer_nanobind, m) {
  nb::class_<Box>(m, "Box").def(nb::init<int64_t>()).def("add", &Box::add, nb::arg("value")).def("value", &Box::get);
  m.def("difference", &difference, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::arg("out").noconvert());
}
