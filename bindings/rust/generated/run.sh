#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Generate crates from headers with $DLFERRY_BIND; then clippy and rustdoc must have nothing to say, rustfmt must leave
# them alone, their extern blocks must have the types that the C compiler sees, and bindgen where $BINDGEN names it, their
# own tests must pass, and one program with two of them must find that they work. With ONLY=run just that: their tests, and
# the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$here/../target}
work=$target/generated
ONLY=${ONLY:-}
rm -rf "$work"
mkdir -p "$work/use/src" "$work/oracle/src"

# bind FOLDER NAME OPTIONS...: the crate $work/NAME/rust from FOLDER/NAME.h
bind() {
  folder=$1 name=$2
  shift 2
  (cd "$folder" && "$DLFERRY_BIND" "$name.h" --name "$name" --lang rust --out "$work/$name" "$@")
  [ "$ONLY" = run ] || rustfmt --check --edition 2021 "$work/$name/rust/src/lib.rs" "$work/$name/rust/build.rs" \
    "$work/$name/rust/tests/contract.rs"
  # All calls are there but those with a closed handle, which has been moved away in Rust.
  (cd "$folder" && "$DLFERRY_BIND" "$name.h" --name "$name" --cases 2>"$work/skipped") |
    sed -n '/"broken": "closed"/d; s/.*"name": "\([^"]*\)", "call".*/\1/p' >"$work/$name/names"
  sed '/^#/d; s/\t.*//' "$work/$name/rust/tests/golden.txt" | diff "$work/$name/names" -
}
bind "$root/tests/bind" odd --source odd.c
bind "$root/tests/bind" kinds --source kinds.c --package-file kinds.toml
bind "$root/tests/bind" all 2>"$work/skipped" # which skips functions that cannot be bound
bind "$root/examples/photo" photo --source photo.c

# Of two names that differ in C and are equal in Rust, one is left out; the crate compiles.
cat >"$work/clash.h" <<'END'
#include <dlpack/dlpack.h>
/** Make.
 *  @contract x: f32[n]; out: f32[n]; return: status */
int clash_make(const DLTensor *x, DLTensor *out);
/** Make into. */
void clash_make_into(int n);
/** Add. */
void clash_add(int N, int n);
END
(cd "$work" && "$DLFERRY_BIND" clash.h --name clash --lang rust --out clash 2>clash.txt)
diff - "$work/clash.txt" <<'END'
dlferry-bind: clash.h:6: skipped clash_make_into: clash_make and clash_make_into would both be called make_into in Rust: write `clash_make_into { rename NAME }` in a file of contracts
dlferry-bind: clash.h:8: skipped clash_add: clash_add: N and clash_add: n would both be called n in Rust: give one of them another name in the header
END
for name in async std dlferry; do
  if (cd "$work" && "$DLFERRY_BIND" clash.h --name $name --prefix clash_ --lang rust --out clash 2>clash.txt); then exit 1; fi
  echo "dlferry-bind: --name $name: no Rust crate that others use can have this name" | diff - "$work/clash.txt"
done

# manifest FOLDER CRATES...: for a package that depends on these
manifest() {
  folder=$1
  shift
  {
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n' "$folder"
    printf 'dlferry = "*"\n'
    for crate in "$@"; do printf '%s = "0.1"\n' "$crate"; done
    printf '\n[patch.crates-io]\ndlferry = { path = "%s/dlferry" }\n' "$here/.."
    printf 'dlferry-sys = { path = "%s/dlferry-sys" }\n' "$here/.."
    for crate in "$@"; do printf '%s = { path = "../%s/rust" }\n' "$crate" "$crate"; done
  } >"$work/$folder/Cargo.toml"
  cp "$here/../Cargo.lock" "$work/$folder/" # already fetched crates
}
manifest use odd kinds photo
sed -i 's/^kinds = "0.1"/kinds = { version = "0.1", features = ["ndarray"] }\nndarray = "0.17"/' "$work/use/Cargo.toml"
cp "$here/main.rs" "$here/kinds.rs" "$work/use/src/"

include="-I$root/tests/bind -I$root/examples/photo -I$root/core/include"

# as_c NAME FUNCTIONS TYPE=RUST...: our extern block as C below the package's header, which must declare the same.
as_c() {
  name=$1
  shift 2
  echo "#include \"$name.h\""
  echo "#include <dlferry.h>"
  echo "typedef float f32; typedef double f64; typedef char c_char;"
  for bits in 8 16 32 64; do echo "typedef int${bits}_t i$bits; typedef uint${bits}_t u$bits;"; done
  for type in "$@"; do
    case $type in *=ours::*) ;; *) echo "#define ${type%%=*} ${type#*=}" ;; esac
  done
  sed "/#include/d; s/\<enum //g; s/\<long long\>/int64_t/g" "$work/$name/${name}_dlferry.h"
  # Without the names of arguments; `*mut *const T` is `T const * *`.
  sed -n '/^unsafe extern "C" {/,/^}/ { /[{}]/d; p; }' "$work/$name/rust/src/ffi.rs" | tr -d '\n' | sed 's/;/;\n/g' | sed -E '
    s/(r#)?[A-Za-z0-9_]+: //g
    s/,? *\)/)/
    s/^ *pub fn ([A-Za-z0-9_]+)(\(.*\))( -> ([^;]*))?;/\4 \1\2;/
    s/^ /void /
    s/\(\)/(void)/
    :again
    s/\*mut ([A-Za-z_][A-Za-z0-9_]*(( const)? \*)*)([,)]| [a-z])/\1 *\4/
    s/\*const ([A-Za-z_][A-Za-z0-9_]*(( const)? \*)*)([,)]| [a-z])/\1 const *\4/
    t again'
}

# oracle NAME FUNCTIONS TYPE=RUST...: our extern block and the C header declare the same. C passes an enum as the integer
# that the emitter makes of it; an opaque struct is ours; LP64.
oracle() {
  [ "$ONLY" != run ] || return 0
  as_c "$@" >"$work/oracle/$1.c"
  # shellcheck disable=SC2086 # several words
  "${CC:-cc}" -std=c11 -Werror -fsyntax-only $include "$work/oracle/$1.c"
  count=$(grep -cE '^[a-z_A-Z0-9]+ [a-z_0-9]+\(.*\);$' "$work/oracle/$1.c")
  [ "$count" = "$(grep -c 'pub fn' "$work/$1/rust/src/ffi.rs")" ] && [ "$count" -ge "$2" ] ||
    { echo "oracle: $1: expected $2 functions and each of ffi.rs, got $count" && exit 1; }
  [ -z "${BINDGEN:-}" ] || oracle_bindgen "$@"
}

# oracle_bindgen NAME FUNCTIONS TYPE=RUST...: a module where our extern block and bindgen's meet in arrays, so that it compiles
# only if they agree.
oracle_bindgen() {
  name=$1 functions=$2
  shift 2
  block=""
  {
    echo "#![allow(non_snake_case, non_upper_case_globals, non_camel_case_types, dead_code, unused_imports)]"
    echo "#[path = \"$work/$name/rust/src/ffi.rs\"] mod ours;"
    echo "use dlferry::ffi::*;"
    for type in "$@"; do
      echo "type ${type%%=*} = ${type#*=};"
      block="$block --blocklist-type ${type%%=*}"
    done
    # shellcheck disable=SC2086 # several words
    "$BINDGEN" "$work/$name/${name}_dlferry.h" --allowlist-function "${name}_.*_(checked|new)" --use-core \
      --blocklist-type '(dlf_|DL).*' $block -- -std=c11 $include "-I$(${CC:-cc} -print-file-name=include)" | sed 's/\<usize\>/u64/g; s/\<isize\>/i64/g'
    echo "pub fn compare() {"
    sed -n "s/^ *pub fn \(${name}_[a-z_]*\)(.*/    let _ = [ours::\1, \1];/p" "$work/$name/rust/src/ffi.rs"
    echo "}"
  } >"$work/oracle/src/$name.rs"
  count=$(grep -c 'let _ = ' "$work/oracle/src/$name.rs")
  [ "$count" -ge "$functions" ] || { echo "oracle: $name: expected $functions functions, got $count" && exit 1; }
  echo "pub mod $name;" >>"$work/oracle/src/lib.rs"
}
oracle odd 40 odd_mode=i32 odd_skip=u32 odd_way=i32 odd_box=ours::odd_box odd_lid=ours::odd_lid odd_book=ours::odd_book \
  odd_page=ours::odd_page odd_desk=ours::odd_desk odd_roll=ours::odd_roll odd_key=ours::odd_key odd_bell=ours::odd_bell
oracle kinds 32 kinds_sign=i32 kinds_sum=ours::kinds_sum
oracle photo 11 photo_corner=i32
oracle all 12 all_border=i32 all_flag=i32 all_mode=u32
manifest oracle odd # any crate: its build script needs the hub's headers

export CARGO_TARGET_DIR="$target"
cd "$work/use"
"$cargo" run --quiet
"$cargo" test --quiet --test contract -p odd -p kinds -p photo
[ "$ONLY" != run ] || exit 0
[ -z "${BINDGEN:-}" ] || (cd "$work/oracle" && "$cargo" check --quiet)
golden=$work/photo/rust/tests/golden.txt
# Another text, another status, a refusal where there is none, other arguments, a line too few: each is seen.
tab=$(printf '\t')
sed -i -e "/^blur.sigma_limit$tab/s/wanted sigma > 0/wanted sigma > 1/" -e "/^blur.out_w$tab/s/SHAPE/DTYPE/" \
  -e "/^gray.accepted$tab/s/OK/SHAPE/" -e "/^mean.image_ndim$tab/s/image=.*/image=\"f32[2, 3]\"/" \
  -e "/^gray.rgb_ndim$tab/d" "$golden"
if "$cargo" test --quiet --test contract -p photo >"$work/told" 2>&1; then exit 1; fi
grep -q '^     got blur/sigma_limit.*wanted sigma > 0$' "$work/told"
for name in blur/sigma_limit blur/out_w gray/accepted mean/image_ndim; do
  grep -q "^     got $name$tab" "$work/told" || { echo "no failure of $name" && exit 1; }
done
[ "$(grep -c '^     got ' "$work/told")" = 4 ]
grep -q '^expected golden.txt to have 74 calls, got 73$' "$work/told"
for crate in odd kinds; do
  (cd "$work/$crate/rust" && "$cargo" package --quiet --allow-dirty \
    --config "patch.crates-io.dlferry.path='$here/../dlferry'" \
    --config "patch.crates-io.dlferry-sys.path='$here/../dlferry-sys'")
done
"$cargo" clippy --quiet --all-targets -p odd -p kinds -p photo -- -D warnings
RUSTDOCFLAGS="-D warnings" "$cargo" doc --quiet --no-deps -p odd -p kinds
