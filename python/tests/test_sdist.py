"""The source distribution has all that a wheel is built from.

`OBORO_SDIST` names the folder in which it lies; without it these tests are left out. With `OBORO_BUILD_SDIST=1` it is built, too,
which takes Rust and some minutes.
"""

from __future__ import annotations

import importlib.util
import os
import posixpath
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

PYTHON = Path(__file__).parents[1]
ROOT = PYTHON.parent


def sdist() -> Path:
    folder = os.environ.get("OBORO_SDIST")
    if folder is None:
        pytest.skip("OBORO_SDIST names no folder with a source distribution")
    return max(Path(folder).glob("oboro-*.tar.gz"), key=lambda path: path.stat().st_mtime)


def packed() -> dict[str, str]:
    """The files of the source distribution without their common folder; texts only, others are empty."""
    files = {}
    with tarfile.open(sdist()) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            if content is not None:
                name = member.name.split("/", 1)[1]
                is_text = name.endswith((".rs", ".toml", ".md", ".py")) or "LICENSE" in name
                files[name] = content.read().decode() if is_text else ""
    return files


def test_the_source_distribution_has_what_a_build_reads() -> None:
    files = packed()
    lab = next(name for name in files if name.endswith("lab/build.rs")).removesuffix("lab/build.rs")
    papers = [path for path in (ROOT / "papers").rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert len(papers) > 20
    for paper in papers:
        assert lab + paper.relative_to(ROOT).as_posix() in files, "lab/build.rs lists the papers"
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert files[name] == (ROOT / name).read_text(encoding="utf-8")
    assert "PKG-INFO" in files and lab + "Cargo.lock" in files
    for name, text in files.items():
        if name.endswith(".rs") and not {"tests", "benches", "examples"} & set(name.split("/")):
            for path in re.findall(r'include_(?:str|bytes)!\(\s*"([^"]+)"', text.split("#[cfg(test)]")[0]):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) in files, f"{name} reads {path}"


def test_the_source_distribution_has_its_packages_and_its_build_backend() -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")
    files = packed()
    system = tomllib.loads(files["pyproject.toml"])["build-system"]
    for folder in system["backend-path"]:
        assert f"{folder}/{system['build-backend']}.py" in files
    workspace = next(name for name, text in files.items() if name.endswith("Cargo.toml") and "[workspace]" in text)
    for member in tomllib.loads(files[workspace])["workspace"]["members"]:
        assert posixpath.join(posixpath.dirname(workspace), member, "Cargo.toml") in files


@pytest.mark.skipif(os.environ.get("OBORO_BUILD_SDIST") != "1", reason="OBORO_BUILD_SDIST=1 builds a wheel, which takes minutes")
def test_a_wheel_is_built_from_the_source_distribution(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(sdist())]
    subprocess.run(command, check=True, env={**os.environ, "MATURIN_PEP517_ARGS": "--profile dev"})
    (wheel,) = tmp_path.glob("oboro-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "oboro/py.typed" in names and any("oboro/_engine" in name for name in names)
    assert {"LICENSE-APACHE", "LICENSE-MIT"} <= {posixpath.basename(name) for name in names}


def backend() -> ModuleType:
    pytest.importorskip("maturin", reason="maturin builds the package")
    spec = importlib.util.spec_from_file_location("build_backend", PYTHON / "tools" / "build_backend.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_without_rust_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = backend()
    monkeypatch.setenv("PATH", str(tmp_path))
    for hook in (hooks.get_requires_for_build_wheel, hooks.get_requires_for_build_editable, hooks.get_requires_for_build_sdist):
        with pytest.raises(SystemExit) as raised:
            hook()
        assert raised.value.code == hooks.NO_RUST
    found = re.search(r'^rust-version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None and f"Rust {found[1]} " in hooks.NO_RUST and "\n" not in hooks.NO_RUST
