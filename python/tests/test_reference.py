"""The reference of the package is made from the package, and says something of everything public."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import oboro

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))

import api_reference  # noqa: E402


def test_the_reference_is_made_from_the_package() -> None:
    path = HERE.parent.parent / "docs" / "reference" / "python-api.md"
    made = api_reference.page()
    if os.environ.get("OBORO_BLESS"):
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made, "`cargo xtask bless` writes it anew; review the difference"


def test_the_reference_has_all_that_the_package_exports() -> None:
    titles = set(re.findall(r"^### `oboro\.(\w+)`", api_reference.page(), re.MULTILINE))
    assert set(oboro.__all__) - titles == {"__version__", "stats"}


def test_everything_public_has_a_docstring() -> None:
    assert api_reference.undocumented() == []
