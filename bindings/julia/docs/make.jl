# SPDX-License-Identifier: Apache-2.0
# Builds the manual: julia --project=docs docs/make.jl [FOLDER], after `pkg> dev .` in that project. Without Documenter it
# exits with 77. The examples of the docstrings are tests of the package (test/test_package.jl).
if Base.find_package("Documenter") === nothing
    println("not run: needs Documenter.jl, which no folder of LOAD_PATH has")
    exit(77)
end
using Documenter, DLFerry

makedocs(sitename = "DLFerry.jl", modules = [DLFerry], build = isempty(ARGS) ? "build" : abspath(ARGS[1]), doctest = false,
         format = Documenter.HTML(prettyurls = false, repolink = "https://github.com/dlferry/dlferry", edit_link = nothing),
         pages = ["index.md", "arrays.md", "python.md", "memory.md", "reference.md"], remotes = nothing)
