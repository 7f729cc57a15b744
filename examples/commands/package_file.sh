# SPDX-License-Identifier: Apache-2.0
# Say who wrote the packages, under which license and in which version: --package-file.
set -eu
. "$(dirname "$0")/expect.sh"

echo 'Permission is granted to do anything.' >LICENSE
cat >gain.toml <<'END'
version = "1.2.0"
license = "MIT"
license-files = ["LICENSE"]
authors = ["Ada Lovelace <ada@example.org>"]
homepage = "https://example.org/gain"
END
dlferry-bind gain.h --name gain --source gain.c --package-file gain.toml --lang python,rust,go,julia --out made
has made/python/pyproject.toml 'authors = [{ name = "Ada Lovelace", email = "ada@example.org" }]'
has made/rust/Cargo.toml 'license = "MIT"'
has made/julia/Project.toml 'version = "1.2.0"'
has made/go/gain.go 'See https://example.org/gain.'
has made/go/LICENSE Permission

# Line 1 of each file has the option, so that the same command writes the packages again.
has made/rust/src/lib.rs 'Command: dlferry-bind gain.h --name gain --source gain.c --package-file gain.toml --lang rust'

# A new version comes from the file alone.
sed 's/1.2.0/1.3.0/' gain.toml >new.toml && mv new.toml gain.toml
ends 1 dlferry-bind gain.h --name gain --source gain.c --package-file gain.toml --lang julia --out made --check
has said Project.toml
