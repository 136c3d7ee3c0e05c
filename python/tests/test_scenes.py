"""The types of scenes are those of the engine's schemas, and real scenes have them."""

from __future__ import annotations

import functools
import os
import sys
import types
import typing
from pathlib import Path
from typing import Any

import pytest

import oboro
from oboro import scenes

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))

import scene_types  # noqa: E402


def test_the_types_are_made_from_the_schemas() -> None:
    path = HERE.parent / "src/oboro/scenes.py"
    made = scene_types.module()
    if os.environ.get("OBORO_BLESS"):
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made, "run with OBORO_BLESS=1 and review the difference"


hints_of = functools.cache(typing.get_type_hints)


def fits(value: Any, kind: Any, place: str) -> None:
    """Whether a value has a type, all the way down."""
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        assert value in typing.get_args(kind), f"{place}: {value!r}"
    elif origin in (typing.Union, types.UnionType):
        faults = []
        for one in typing.get_args(kind):
            try:
                return fits(value, one, place)
            except AssertionError as fault:
                faults.append(str(fault))
        raise AssertionError(f"{place}: {faults}")
    elif origin is list:
        assert isinstance(value, list), f"{place}: {value!r} is no list"
        for i, item in enumerate(value):
            fits(item, typing.get_args(kind)[0], f"{place}[{i}]")
    elif typing.is_typeddict(kind):
        assert isinstance(value, dict), f"{place}: {value!r} is no dict"
        hints = hints_of(kind)
        assert value.keys() == hints.keys(), f"{place}: {value.keys() ^ hints.keys()}"
        for key, item in value.items():
            fits(item, hints[key], f"{place}.{key}")
    elif kind is not Any:
        assert isinstance(value, type(None) if kind is None else kind), f"{place}: {value!r} is no {kind}"


@pytest.mark.parametrize("name", [kind.removesuffix("Scene").lower() for kind in scenes.__all__])
def test_real_scenes_have_their_types(name: str) -> None:
    kind = getattr(scenes, f"{name.capitalize()}Scene")
    live = oboro.game(name).new_game(["random"] * oboro.game(name).seats, seed=3)
    while live.to_act is not None and live.plies < 300:
        if live.plies % 10 == 0:
            for who in (0, "spectator", "truth"):
                fits(live.scene(who), kind, name)
        live.step()
    fits(live.scene("truth"), kind, name)
    with pytest.raises(AssertionError):
        fits({**live.scene(0), "seats": None}, kind, name)
