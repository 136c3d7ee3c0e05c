"""Builds the package with maturin. Where there is no Rust, a line says so before anything is downloaded or compiled."""

from __future__ import annotations

import shutil
from typing import Any

import maturin
from maturin import (
    build_editable,
    build_sdist,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

NO_RUST = "oboro is built with Rust 1.95 or newer, and no `cargo` was found: install Rust (https://rustup.rs) or a wheel"


def _need_rust() -> None:
    if shutil.which("cargo") is None:
        raise SystemExit(NO_RUST)


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    _need_rust()
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    _need_rust()
    return maturin.get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings: dict[str, Any] | None = None) -> list[str]:
    _need_rust()
    return maturin.get_requires_for_build_sdist(config_settings)
