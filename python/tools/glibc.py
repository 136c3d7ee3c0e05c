"""The oldest glibc that a wheel or a library for Linux runs with, by the symbol versions it asks for.

    python tools/glibc.py dist/oboro-0.2.0-cp310-abi3-manylinux_2_17_x86_64.whl
"""

from __future__ import annotations

import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

VERSIONS_NEEDED = 0x6FFFFFFE
"""The type of the section that lists them, SHT_GNU_verneed."""


def versions(library: bytes) -> set[str]:
    """The symbol versions that a 64-bit little-endian ELF library asks for, such as `GLIBC_2.17`."""
    if library[:6] != b"\x7fELF\x02\x01":
        raise ValueError("no ELF library of 64 bits")
    at, size, count = struct.unpack_from("<Q", library, 40)[0], *struct.unpack_from("<HH", library, 58)
    sections = [struct.unpack_from("<IIQQQQII", library, at + number * size) for number in range(count)]
    return {name for section in sections if section[1] == VERSIONS_NEEDED for name in _names(library, section, sections)}


def _names(library: bytes, section: tuple[int, ...], sections: list[tuple[int, ...]]) -> Iterator[str]:
    """The names in a section of versions: a list of files, each with a list of versions."""
    texts = sections[section[6]][4]
    file = section[4]
    while True:
        _, count, _, first, to_next = struct.unpack_from("<HHIII", library, file)
        version = file + first
        for _ in range(count):
            name, step = struct.unpack_from("<II", library, version + 8)
            yield library[texts + name : library.index(b"\0", texts + name)].decode()
            version += step
        if to_next == 0:
            return
        file += to_next


def oldest_glibc(library: bytes) -> tuple[int, int]:
    """The oldest glibc that has all that a library asks for."""
    asked = (re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", name) for name in versions(library))
    return max((int(found[1]), int(found[2])) for found in asked if found)


def promised_glibc(platform: str) -> tuple[int, int] | None:
    """The oldest glibc that a platform tag promises to run with; nothing where it promises none."""
    older = {"manylinux1": (2, 5), "manylinux2010": (2, 12), "manylinux2014": (2, 17)}
    found = [(int(major), int(minor)) for major, minor in re.findall(r"manylinux_(\d+)_(\d+)_", platform)]
    found += [version for name, version in older.items() if f"{name}_" in platform]
    return min(found, default=None)


def main(path: Path) -> None:
    """Says what a wheel promises and needs, and fails where it needs more."""
    with zipfile.ZipFile(path) as wheel:
        (engine,) = (name for name in wheel.namelist() if name.endswith(".so"))
        needed = oldest_glibc(wheel.read(engine))
    promised = promised_glibc(path.stem)
    print(f"{path.name}: needs glibc {needed[0]}.{needed[1]}")
    if promised is None or needed > promised:
        sys.exit(f"its tag promises {promised}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
