"""Named arrays in files, in the safetensors format: a length, a JSON header, the bytes."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

_NAMES = {"F16": np.float16, "F32": np.float32, "I32": np.int32, "U8": np.uint8}


def save(path: str | Path, arrays: dict[str, np.ndarray[Any, Any]], about: dict[str, str] | None = None) -> None:
    """Writes arrays, and what there is to say about them, so that the file is never half there."""
    codes = {np.dtype(kind): code for code, kind in _NAMES.items()}
    header: dict[str, Any] = {"__metadata__": about or {}}
    at = 0
    for name in sorted(arrays):
        array = arrays[name]
        header[name] = {
            "dtype": codes[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    partial = Path(f"{path}.partial")
    with open(partial, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in sorted(arrays):
            file.write(np.ascontiguousarray(arrays[name]).tobytes())
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def load(path: str | Path) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, str]]:
    """Reads arrays and what is said about them."""
    data = Path(path).read_bytes()
    try:
        (length,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + length])
        about = header.pop("__metadata__", {})
        arrays = {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            raw = data[8 + length + start : 8 + length + end]
            arrays[name] = np.frombuffer(raw, _NAMES[entry["dtype"]]).reshape(entry["shape"])
    except (struct.error, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: no file of named arrays ({error})") from error
    return arrays, about
