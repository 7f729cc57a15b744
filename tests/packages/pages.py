# SPDX-License-Identifier: Apache-2.0
"""Each file of a release has its licence and a README whose links lead somewhere; the release's page installs them.

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
from layout import FOLDERS, published, version_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))
from links import CODE, FENCE, LINK

RELEASE, LOCK = map(Path, sys.argv[1:3])
REPOSITORY = RELEASE / "repository"
HOMEPAGE = re.search(r'HOMEPAGE_URL "([^"]+)"', (REPOSITORY / "CMakeLists.txt").read_text())[1]


def is_in_repository(url, version):
    """Tell whether a link to the homepage names a file of the version's tag."""
    path = re.sub("^(blob|tree)/", "", url.removeprefix(f"{HOMEPAGE}/")).partition("#")[0]
    tag, _, file = path.partition("/")
    if tag not in (f"v{version}", "main"):
        return False
    command = ["git", "-C", str(REPOSITORY), "cat-file", "-e", f"v{version}:{file}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def dead_links(page, text, names, version):
    """Yield the links of a page that lead nowhere. Without names, the page is shown alone: a relative link is dead."""
    for target in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        if target.startswith((f"{HOMEPAGE}/blob/", f"{HOMEPAGE}/tree/")):
            alive = is_in_repository(target, version)
        elif re.match(r"https?://|#|@ref$|crate::", target):
            alive = True
        else:
            path = os.path.normpath(Path(page).parent / target.partition("#")[0])
            alive = path in names or any(name.startswith(f"{path}/") for name in names)
        if not alive:
            yield f"{page}: {target}"


def texts_of(path, chosen):
    """The names in an archive, and the texts of those chosen by their last part."""
    if path.suffix in (".zip", ".whl"):
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            return names, {name: archive.read(name).decode() for name in sorted(names) if chosen(Path(name).name)}
    with tarfile.open(path) as archive:
        names = set(archive.getnames())
        read = (name for name in sorted(names) if chosen(Path(name).name))
        return names, {name: archive.extractfile(name).read().decode() for name in read}


def is_page(name):
    return name.endswith(".md") or name in ("METADATA", "PKG-INFO", "LICENSE")


def check_archive(path, version):
    """Yield what a published file lacks: a README, the licence, what its pages link to."""
    names, texts = texts_of(path, is_page)
    shown_alone = [name for name in texts if Path(name).name in ("METADATA", "PKG-INFO")]
    pages = shown_alone + [name for name in texts if name.endswith(".md")]
    licensed = [name for name, text in texts.items() if name.endswith("LICENSE") and "Apache License" in text]
    if not licensed:
        yield f"{path.name}: no LICENSE"
    if not shown_alone and not any(Path(name).name == "README.md" for name in pages):
        yield f"{path.name}: no README.md"
    for page in pages:
        known = set() if page in shown_alone else names
        yield from (f"{path.name}: {link}" for link in dead_links(page, texts[page], known, version))
    for page in shown_alone:
        if f"Project-URL: Repository, {HOMEPAGE}\n" not in texts[page]:
            yield f"{path.name}: {page} does not name {HOMEPAGE}"


def check_archives(version):
    """Check all files that are archives: those of C and Julia, the wheels and the sdist, the crates, the Go modules."""
    files = [path for path in published(RELEASE) if path.suffix in (".gz", ".whl", ".crate", ".zip")]
    assert len(files) >= 11, files
    assert list(dead_links("a/README.md", "[b](b.md) [c](c.md)", {"a/b.md"}, version)) == ["a/README.md: c.md"]
    wrong = [text for path in files for text in check_archive(path, version)]
    if wrong:
        sys.exit("\n".join(["FAILED: dead links, or no licence", *wrong]))
    print(f"ok  README, licence and links of {len(files)} files")


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
    for name in FOLDERS:
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
    version = version_of(RELEASE)
    assert not re.search(r"@\w+@", page), page
    check_archives(version)
    with tempfile.TemporaryDirectory() as folder:
        install(page, Path(folder))


main()
