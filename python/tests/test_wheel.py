"""The platform tag of the wheel is true: the engine asks for no newer glibc than the tag promises."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import struct
import sys
from pathlib import Path

import pytest

from oboro import _engine

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import glibc  # noqa: E402

ENGINE = Path(_engine.__file__)


def library(names: dict[str, list[str]]) -> bytes:
    """The smallest library that asks for versions of files."""
    texts, lists = b"\0", b""

    def place(text: str) -> int:
        nonlocal texts
        texts += text.encode() + b"\0"
        return len(texts) - len(text) - 1

    for number, (file, versions) in enumerate(names.items()):
        last = number == len(names) - 1
        lists += struct.pack("<HHIII", 1, len(versions), place(file), 16, 0 if last else 16 + 16 * len(versions))
        for which, version in enumerate(versions):
            lists += struct.pack("<IHHII", 0, 0, 0, place(version), 0 if which == len(versions) - 1 else 16)
    sections = struct.pack("<IIQQQQII", 0, 3, 0, 0, 64, len(texts), 0, 0) + bytes(16)
    sections += struct.pack("<IIQQQQII", 0, glibc.VERSIONS_NEEDED, 0, 0, 64 + len(texts), len(lists), 0, 0) + bytes(16)
    head = b"\x7fELF\x02\x01".ljust(40, b"\0") + struct.pack("<Q", 64 + len(texts) + len(lists))
    return head.ljust(58, b"\0") + struct.pack("<HHH", 64, 2, 0) + texts + lists + sections


def test_versions_are_read_from_a_library() -> None:
    made = library({"libc.so.6": ["GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.4"], "libgcc_s.so.1": ["GCC_3.0"]})
    assert glibc.versions(made) == {"GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.4", "GCC_3.0"}
    assert glibc.oldest_glibc(made) == (2, 34)
    with pytest.raises(ValueError, match="no ELF"):
        glibc.versions(b"MZ")


@pytest.mark.parametrize(
    ("tag", "promised"),
    [
        ("cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64", (2, 17)),
        ("cp310-abi3-manylinux_2_34_aarch64", (2, 34)),
        ("cp310-abi3-manylinux2014_x86_64", (2, 17)),
        ("cp310-abi3-linux_x86_64", None),
        ("cp310-abi3-macosx_11_0_arm64", None),
    ],
)
def test_tags_promise_a_glibc(tag: str, promised: tuple[int, int] | None) -> None:
    assert glibc.promised_glibc(tag) == promised


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only wheels for Linux depend on glibc")
def test_the_engine_asks_for_no_newer_glibc_than_promised() -> None:
    needed = glibc.oldest_glibc(ENGINE.read_bytes())
    text = importlib.metadata.distribution("oboro").read_text("WHEEL")
    promised = [glibc.promised_glibc(tag) for tag in re.findall(r"^Tag: (.+)$", text or "", re.MULTILINE)]
    for promise in promised:
        assert promise is None or needed <= promise, f"it needs {needed}"
    # The workflow says how old it may be; elsewhere it is that of the compiler's system.
    if limit := os.environ.get("OBORO_GLIBC"):
        assert promised and None not in promised, "a wheel that says what it runs with"
        assert needed <= tuple(int(part) for part in limit.split("."))
