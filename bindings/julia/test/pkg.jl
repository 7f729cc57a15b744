# SPDX-License-Identifier: Apache-2.0
# Installs DLFerry as a user does, without a network: pkg.jl FOLDER RELEASE PACKAGES LEVEL WORD... takes what
# core/release.cmake wrote into the folder RELEASE, and the packages that the README's command made with the release's
# generator. Pkg develops the package from its archive and adds it by the repository's tag, each in an environment of its
# own below FOLDER. The WORDs tell runtests.jl which files to run, compiled at LEVEL. The first depot of JULIA_DEPOT_PATH
# is the test's own; one with a registry must be there.
import Pkg

folder, release, packages, level = ARGS
words = ARGS[5:end]
rm(folder; recursive = true, force = true)
mkpath(folder)
archive = only(filter(file -> endswith(file, ".tar.gz"), readdir(joinpath(release, "julia"))))
run(`tar -xzf $(joinpath(release, "julia", archive)) -C $folder`)
package = joinpath(folder, first(split(archive, ".tar.gz")))
version = last(split(basename(package), "-"))

"What Julia says when a program fails."
function complaint(arguments)
    said = joinpath(folder, "said.txt")
    try
        run(pipeline(`$(Base.julia_cmd()) --startup-file=no $arguments`; stderr = said))
    catch
        return read(said, String)
    end
    error("expected a failure of $arguments")
end

environment = joinpath(folder, "developed")
Pkg.activate(environment)
Pkg.develop(Pkg.PackageSpec(path = package))
message = complaint(`--project=$environment --compiled-modules=no --compile=min -e "import DLFerry"`)
occursin("Pkg.build", message) || error("expected a hint at Pkg.build, got: $message")
mv(joinpath(package, "deps", "csrc"), joinpath(folder, "csrc")) # as in a checkout where nothing was built
message = complaint(`$(joinpath(package, "deps", "build.jl"))`)
occursin("dlferry.c is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry", message) ||
    error("expected a hint at core/amalgamate.cmake, got: $message")

# Pkg's own clone would keep the tag as it was when the test ran before.
rm(joinpath(first(DEPOT_PATH), "clones"); recursive = true, force = true)
Pkg.activate(joinpath(folder, "added"))
Pkg.add(Pkg.PackageSpec(url = joinpath(release, "repository"), rev = "v$version", subdir = "bindings/julia"))
# Its README's program too.
Pkg.test("DLFerry"; julia_args = `-O$level`, test_args = words)

# The repository's README: its program in Julia.
cp(joinpath(packages, "julia"), joinpath(folder, "Photo"))
Pkg.develop(Pkg.PackageSpec(path = joinpath(folder, "Photo")))
Pkg.build("Photo")
program = match(r"```julia\n(.*?)```"s, read(joinpath(release, "repository", "README.md"), String))[1]
printed = read(`$(Base.julia_cmd()) --startup-file=no -O0 --project=$(joinpath(folder, "added")) -e $program`, String)
printed == "0.1592\n" || error("expected the README's program to print 0.1592, got $printed")

# The hub's functions in a project of its own.
program = """
    using DLFerry
    t = wrap([1 2 3; 4 5 6])
    column = view(t, :, 2)
    path = tempname()
    DLFerry.npy_save(path, column)
    read = DLFerry.npy_open(path)
    sum = Contract("x: f32[n]", "sum", (x = :input,))
    refused = try match(sum, t) catch e; e.msg end
    print(DLFerry.equal(column, [2, 5]), " ", DLFerry.identical(read, column), " ", refused)
    foreach(close, (read, column, t))
    print(" ", DLFerry.live())
    """
printed = read(`$(Base.julia_cmd()) --startup-file=no -O0 --project=$(joinpath(folder, "added")) -e $program`, String)
printed == "true true sum: x: dtype is i64, expected f32; got i64[2, 3], wanted f32[n]: cast converts 0" ||
    error("expected views, files and contracts to work, got $printed")

# By name, from a registry with the entry that registry.jl writes.
registry = joinpath(first(DEPOT_PATH), "registries", "Own")
rm(registry; recursive = true, force = true)
mkpath(registry)
write(joinpath(registry, "Registry.toml"), """
    name = "Own"
    uuid = "2b0c1d1e-5a0f-4a44-9a53-7a3b8e6d1c02"
    repo = "none"
    [packages]
    55670bff-fd3f-4f23-bb49-df5db85aa591 = { name = "DLFerry", path = "D/DLFerry" }
    """)
withenv("DLFERRY_REGISTERED_AT" => joinpath(release, "repository")) do
    run(`$(Base.julia_cmd()) --startup-file=no $(joinpath(package, "registry.jl")) $(joinpath(release, "repository")) $registry`)
end
for file in ("Versions.toml", "Deps.toml", "Compat.toml") # Package.toml names the published repository
    own, released = (read(joinpath(at, "D", "DLFerry", file), String) for at in (registry, joinpath(release, "julia", "registry")))
    own == released || error("$file: expected the release's registry entry to be\n$own\ngot\n$released")
end
Pkg.activate(joinpath(folder, "registered"))
Pkg.add("DLFerry")
added = only(filter(entry -> entry.second.name == "DLFerry", collect(Pkg.dependencies()))).second
added.version == VersionNumber(version) || error("expected DLFerry $version from the registry, got $(added.version)")
rm(registry; recursive = true)
