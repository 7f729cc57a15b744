/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the generator carries, since packages and new projects get copies of them.
 * core/cmake/Amalgamate.cmake writes their lines as C when the generator is built. */
#ifndef DLFERRY_BIND_BASE_EMBEDDED_H
#define DLFERRY_BIND_BASE_EMBEDDED_H

/* Literals of some lines each, since C limits their length; NULL ends them. */
extern const char *const bind_embedded_dlferry_h[];
extern const char *const bind_embedded_dlferry_go_h[];
extern const char *const bind_embedded_header_h_in[];
extern const char *const bind_embedded_source_c_in[];
extern const char *const bind_embedded_CMakeLists_txt_in[];
extern const char *const bind_embedded_CMakePresets_json_in[];
extern const char *const bind_embedded_README_md_in[];
extern const char *const bind_embedded_gitignore_in[];
extern const char *const bind_embedded_package_toml_in[];
extern const char *const bind_embedded_release_cmake_in[];
extern const char *const bind_embedded_release_yml_in[];
extern const char *const bind_embedded_test_c_in[];
extern const char *const bind_embedded_test_julia_jl_in[];
extern const char *const bind_embedded_test_contract_py_in[];
extern const char *const bind_embedded_runtests_jl_in[];
extern const char *const bind_embedded_contract_test_go_in[];
extern const char *const bind_embedded_contract_rs_in[];
extern const char *const bind_embedded_twin_helpers_h[];
extern const char *const bind_embedded_twin_helpers_memory_h[];
extern const char *const bind_embedded_twin_helpers_holders_h[];
extern const char *const bind_embedded_twin_helpers_lenders_h[];
extern const char *const bind_embedded_twin_helpers_texts_h[];
extern const char *const bind_embedded_twin_helpers_wide_h[];
extern const char *const bind_embedded_twin_helpers_files_h[];

#endif
