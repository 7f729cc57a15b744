# SPDX-License-Identifier: Apache-2.0
# Installs DLFerry as a user does, without a network: pkg.jl FOLDER PACKAGE copies the package into FOLDER, where Pkg
# builds and tests it in an environment of its own. A depot with a registry must be on JULIA_DEPOT_PATH.
import Pkg

folder, package = ARGS
rm(folder; recursive = true, force = true)
mkpath(joinpath(folder, "DLFerry"))
for part in ("Project.toml", "README.md", "LICENSE", "src", "test", "deps")
    cp(joinpath(package, part), joinpath(folder, "DLFerry", part))
end
rm(joinpath(folder, "DLFerry", "deps", "usr"); recursive = true, force = true)

Pkg.activate(joinpath(folder, "environment"))
Pkg.develop(Pkg.PackageSpec(path = joinpath(folder, "DLFerry")))
message = try
    run(pipeline(`$(Base.julia_cmd()) --project=$(joinpath(folder, "environment")) -e "import DLFerry"`;
                 stderr = joinpath(folder, "unbuilt.txt")))
    error("expected a package that is not built to say so")
catch e
    read(joinpath(folder, "unbuilt.txt"), String)
end
occursin("Pkg.build", message) || error("expected a hint at Pkg.build, got: $message")
Pkg.build("DLFerry")
Pkg.test("DLFerry")
