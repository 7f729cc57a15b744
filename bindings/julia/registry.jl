# SPDX-License-Identifier: Apache-2.0
# Writes the package's folder of a registry, as General has them: registry.jl REPOSITORY OUT. core/release.cmake runs it
# on a release's repository, with the tag of this version; OUT/D/DLFerry gets Package.toml, Versions.toml, Deps.toml and
# Compat.toml.
import Pkg

repository, out = ARGS
const where_from = get(ENV, "DLFERRY_REGISTERED_AT", "https://github.com/dlferry/dlferry.git")
const subdir = "bindings/julia"
git(words...) = readchomp(`git -C $repository $(collect(words))`)

version = match(r"^version = \"(.*)\""m, read(joinpath(@__DIR__, "Project.toml"), String))[1]
project = git("show", "v$version:$subdir/Project.toml")

"The lines `key = \"value\"` of a section; the lines before the first one for \"\"."
function section(name)
    found, here = Pair{String,String}[], ""
    for line in split(project, '\n')
        startswith(line, "[") && (here = strip(line, ['[', ']']))
        m = match(r"^(\w+) = \"(.*)\"$", line)
        m === nothing || here != name || push!(found, String(m[1]) => String(m[2]))
    end
    return found
end

"A range of versions as registries write it."
function range_text(text)
    ranges = string.(Pkg.Types.semver_spec(text).ranges)
    return length(ranges) == 1 ? repr(ranges[1]) : "[" * join(repr.(ranges), ", ") * "]"
end

package = Dict(section(""))
package["version"] == version || error("expected version $version at its tag, got $(package["version"])")
folder = mkpath(joinpath(out, package["name"][1:1], package["name"]))
lines(pairs) = join("$key = $value\n" for (key, value) in sort(collect(pairs)))
write(joinpath(folder, "Package.toml"), "name = $(repr(package["name"]))\nuuid = $(repr(package["uuid"]))\n",
      "repo = $(repr(where_from))\nsubdir = $(repr(subdir))\n")
write(joinpath(folder, "Versions.toml"), "[$(repr(version))]\ngit-tree-sha1 = $(repr(git("rev-parse", "v$version:$subdir")))\n")
write(joinpath(folder, "Deps.toml"), "[0]\n", lines(name => repr(uuid) for (name, uuid) in section("deps")))
write(joinpath(folder, "Compat.toml"), "[0]\n", lines(name => range_text(text) for (name, text) in section("compat")))
println("registry: ", folder)
