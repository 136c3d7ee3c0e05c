"""Named arrays in files, in the safetensors format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
from safetensors.numpy import load_file, save_file


def save(path: str | Path, arrays: dict[str, np.ndarray[Any, Any]], about: dict[str, str] | None = None) -> None:
    """Writes arrays, and what there is to say about them, so that the file is never half there."""
    partial = Path(f"{path}.partial")
    save_file({name: np.asarray(arrays[name], order="C") for name in sorted(arrays)}, partial, about or {})
    with open(partial, "rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def load(path: str | Path) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, str]]:
    """Reads arrays and what is said about them."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        with safetensors.safe_open(path, "np") as file:
            about = file.metadata() or {}
        return load_file(path), about
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path}: no file of named arrays ({error})") from error
