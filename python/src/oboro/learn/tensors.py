"""Named arrays in files, in the safetensors format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
from safetensors.numpy import load_file
from safetensors.numpy import save as serialised


def save(path: str | Path, arrays: dict[str, np.ndarray[Any, Any]], about: dict[str, str] | None = None) -> None:
    """Writes arrays, and what there is to say about them, so that the file is never half there."""
    data = serialised({name: np.asarray(arrays[name], order="C") for name in sorted(arrays)}, about or {})
    partial = Path(f"{path}.partial")
    with open(partial, "wb") as file:
        file.write(data)
        file.flush()
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
