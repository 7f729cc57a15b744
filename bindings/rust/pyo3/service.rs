// SPDX-License-Identifier: Apache-2.0
//! The README's recipe, word for word, and the module around it.

include!(concat!(env!("OUT_DIR"), "/recipe.rs"));

#[pymodule]
fn service(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("live", wrap_pyfunction!(live, module)?)?;
    module.add("doubled", wrap_pyfunction!(doubled, module)?)
}

#[pyfunction]
fn live() -> i64 {
    dlferry::live()
}
