# SPDX-License-Identifier: Apache-2.0
"""How the tools of a project that names dlferry as if it were published find it in a folder of core/release.cmake."""

import os
import tarfile
from pathlib import Path

from command import run


def unpack(archive, folder):
    with tarfile.open(archive) as file:
        file.extractall(folder)


def prepare(release, have, work, project, version):
    """Return the environment in which the tools of a project find the unpublished packages.

    HAVE holds each language's program, and `lock`: a Cargo.lock whose crates are fetched already.
    """
    env = {**os.environ, "CMAKE_PREFIX_PATH": str(work / "prefix"), "CARGO_TARGET_DIR": str(work / "cargo")}
    # pip: only the test's own environment; dlferry itself is the wheel.
    env |= {
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    if "python" in have:
        (wheel,) = (release / "python").glob("*.whl")
        run(have["python"], "-m", "pip", "install", "--quiet", "--target", work / "site", wheel, env=env)
        env["PYTHONPATH"] = str(work / "site")
    if "rust" in have:
        crates = ("dlferry", "dlferry-sys")
        for crate in crates:
            unpack(release / f"rust/{crate}-{version}.crate", work)
        patches = "".join(f'{crate} = {{ path = "{work}/{crate}-{version}" }}\n' for crate in crates)
        (project / ".cargo").mkdir()
        (project / ".cargo/config.toml").write_text(f"[net]\noffline = true\n\n[patch.crates-io]\n{patches}")
        (project / "packages/rust").mkdir(parents=True)
        (project / "packages/rust/Cargo.lock").write_text(Path(have["lock"]).read_text())
    if "go" in have:
        env |= {"GOPROXY": f"file://{release / 'go'}", "GOSUMDB": "off", "GOWORK": "off"}
        env |= {"GOMODCACHE": str(work / "gomod"), "GOFLAGS": "-modcacherw"}
    if "julia" in have:
        unpack(release / f"julia/DLFerry-{version}.tar.gz", work)
        env["DLFERRY_JULIA"] = str(work / f"DLFerry-{version}")
        env["JULIA_DEPOT_PATH"] = str(work / "depot")
    return env
