# SPDX-License-Identifier: Apache-2.0
"""The pages of a release: their links lead somewhere, and the commands of its README.md install its files.

pages.py RELEASE LOCK, with CARGO, GO and JULIA in the environment. RELEASE is what core/release.cmake wrote, LOCK a
Cargo.lock whose crates are fetched already. The commands for C build the archive for minutes: source.sh runs them.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from command import run

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))
from links import CODE, FENCE, LINK

RELEASE, LOCK = map(Path, sys.argv[1:3])
REPOSITORY = RELEASE / "repository"
HOMEPAGE = re.search(r'HOMEPAGE_URL "([^"]+)"', (REPOSITORY / "CMakeLists.txt").read_text())[1]


def is_in_repository(url, version):
    """Tell whether a link to the homepage names a file of the version's tag."""
    path = url.removeprefix(f"{HOMEPAGE}/blob/").partition("#")[0]
    tag, _, file = path.partition("/")
    if tag not in (f"v{version}", "main"):
        return False
    command = ["git", "-C", str(REPOSITORY), "cat-file", "-e", f"v{version}:{file}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def dead_links(page, text, names, version):
    """Yield the links of a page that lead nowhere. Without names, the page is shown alone: a relative link is dead."""
    for target in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        if target.startswith(f"{HOMEPAGE}/blob/"):
            alive = is_in_repository(target, version)
        elif re.match(r"https?://|#|@ref$", target):
            alive = True
        else:
            path = os.path.normpath(Path(page).parent / target.partition("#")[0])
            alive = path in names or any(name.startswith(f"{path}/") for name in names)
        if not alive:
            yield f"{page}: {target}"


def check_links(version):
    """Check the pages that the archives of C and Julia have, and the one that a package index shows for Python."""
    dead, count = [], 0
    for name in (f"c/dlferry-{version}.tar.gz", f"julia/DLFerry-{version}.tar.gz"):
        with tarfile.open(RELEASE / name) as archive:
            names = set(archive.getnames())
            for page in sorted(name for name in names if name.endswith(".md")):
                count += 1
                dead += dead_links(page, archive.extractfile(page).read().decode(), names, version)
    for wheel in (RELEASE / "python").glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            metadata = archive.read(f"dlferry-{version}.dist-info/METADATA").decode()
        count += 1
        dead += dead_links(wheel.name, metadata, set(), version)
        assert f"Project-URL: Repository, {HOMEPAGE}\n" in metadata, metadata[:2000]
    assert count >= 4, f"expected four pages or more, got {count}"
    if dead:
        sys.exit("\n".join(["FAILED: dead links", *dead]))
    print(f"ok  links of {count} pages")


def blocks(page, language):
    """The blocks of code below the headings of a page: {heading: text}."""
    found = {}
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        code = re.search(rf"^```{language}\n(.*?)^```", section, re.M | re.S)
        if code:
            found[section.partition("\n")[0]] = code[1]
    return found


def install(page, work):
    """Run the page's commands in a folder that looks like the release's."""
    for name in ("c", "python", "rust", "go", "julia"):
        (work / name).symlink_to(RELEASE / name)
    shell, julia = blocks(page, "sh"), blocks(page, "julia")
    assert set(shell) == {"C", "Python", "Rust", "Go", "Julia"}, set(shell)

    run(sys.executable, "-m", "venv", work / "venv")
    environment = os.environ | {"PATH": f"{work}/venv/bin:{os.environ['PATH']}", "PIP_NO_INDEX": "1"}
    run("sh", "-ec", shell["Python"], cwd=work, env=environment)
    got = run("python", "-c", "import dlferry; print(dlferry.create('float32', [2, 3]))", cwd=work, env=environment)
    assert got.startswith("float32[2, 3]"), got
    print("ok  Python")

    run("sh", "-ec", shell["Rust"], cwd=work)
    (work / "src").mkdir()
    (work / "src/main.rs").write_text("fn main() {}\n")
    manifest = '[package]\nname = "stranger"\nversion = "0.0.0"\nedition = "2021"\n\n'
    (work / "Cargo.toml").write_text(manifest + blocks(page, "toml")["Rust"])
    (work / "Cargo.lock").write_bytes(LOCK.read_bytes())
    metadata = run(os.environ["CARGO"], "metadata", "--offline", "--format-version", "1", cwd=work)
    paths = {package["name"]: package["manifest_path"] for package in json.loads(metadata)["packages"]}
    assert {"dlferry", "dlferry-sys"} <= set(paths), paths
    assert all(paths[name].startswith(str(work.resolve())) for name in ("dlferry", "dlferry-sys")), paths
    print("ok  Rust")

    module = work / "module"
    module.mkdir()
    (module / "go.mod").write_text("module example.com/stranger\n\ngo 1.24\n")
    environment = {name: value for name, value in os.environ.items() if name not in ("GONOSUMDB", "GOFLAGS")}
    environment |= {"GOMODCACHE": str(work / "modules"), "GOFLAGS": "-modcacherw", "GOTOOLCHAIN": "local"}
    environment |= {"PATH": f"{Path(os.environ['GO']).parent}:{os.environ['PATH']}"}
    run("sh", "-ec", shell["Go"].replace("$PWD", str(RELEASE.resolve())), cwd=module, env=environment)
    assert "bindings/go v" in (module / "go.mod").read_text()
    print("ok  Go")

    run("sh", "-ec", shell["Julia"], cwd=work)
    packages = [str(work / "depot"), *filter(None, os.environ.get("JULIA_DEPOT_PATH", "").split(os.pathsep))]
    environment = os.environ | {"JULIA_DEPOT_PATH": os.pathsep.join(packages), "JULIA_PKG_OFFLINE": "true"}
    command = (os.environ["JULIA"], "--startup-file=no", f"--project={work / 'project'}", "-e")
    got = run(*command, f"{julia['Julia']}\nusing DLFerry\nprintln(DLFerry.version())", cwd=work, env=environment)
    assert got.split()[-1] in re.search(r"^# dlferry .*", page, re.M)[0], got
    print("ok  Julia")


def main():
    page = (RELEASE / "README.md").read_text(encoding="utf-8")
    version = re.search(r"^# dlferry (\S+)$", page, re.M)[1]
    assert not re.search(r"@\w+@", page), page
    check_links(version)
    with tempfile.TemporaryDirectory() as folder:
        install(page, Path(folder))


main()
