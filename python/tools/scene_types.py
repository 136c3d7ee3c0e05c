"""Writes src/oboro/scenes.py, the types of scenes, from the schemas that the engine gives. Run by the tests: OBORO_BLESS=1 rewrites it."""

from __future__ import annotations

import textwrap
from typing import Any

import oboro

HEAD = '''"""The shape of scenes: what `live.scene(...)` and `view.scene` give, game by game.

Made from the engine's JSON schemas (`oboro.game(NAME).schemas`) by tools/scene_types.py; not to be edited.

    scene: GeisterScene = live.scene(0)
    mine = [piece for piece in scene["pieces"] if piece["owner"] == 0]
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

'''


def module() -> str:
    """The whole text of the module."""
    types: list[str] = []
    names = []
    for game in oboro.games():
        schema = oboro.game(game).schemas["scene"]
        if "sight" in schema["properties"]:
            continue  # a default scene: the same for all games that have no other
        name = f"{_capitals(game)}Scene"
        _type(schema, name, types)
        names.append(name)
    listed = ", ".join(f'"{name}"' for name in sorted(names))
    return f"{HEAD}__all__ = [{listed}]\n\n" + "\n\n".join(types) + "\n"


def _type(schema: dict[str, Any], name: str, types: list[str]) -> str:
    """How a schema is written as a type; the types it needs are put before."""
    if "const" in schema:
        return f"Literal[{schema['const']!r}]".replace("'", '"')
    if "enum" in schema:
        return "Literal[" + ", ".join(repr(v).replace("'", '"') for v in schema["enum"]) + "]"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            parts = [_type(part, f"{name}{_word(part)}", types) for part in schema[key]]
            literals = [part[8:-1] for part in parts if part.startswith("Literal[")]
            others = [part for part in parts if not part.startswith("Literal[")]
            joined = ([f"Literal[{', '.join(literals)}]"] if literals else []) + others
            return " | ".join(dict.fromkeys(joined))
    kind = schema.get("type")
    if isinstance(kind, list):
        parts = [_type({**schema, "type": one}, name, types) for one in kind]
        return " | ".join(dict.fromkeys(parts))
    if kind == "array":
        if "prefixItems" in schema:
            parts = [_type(part, f"{name}{i}", types) for i, part in enumerate(schema["prefixItems"])]
            return f"list[{' | '.join(dict.fromkeys(parts))}]"
        return f"list[{_type(schema.get('items', {}), name, types)}]"
    if kind == "object" and "properties" in schema:
        fields = []
        for key, value in schema["properties"].items():
            written = _type(value, name + _capitals(key), types)
            about = value.get("description", "").split("\n")[0]
            comment = "".join(f"        # {line}\n" for line in textwrap.wrap(about, 110))
            fields.append(f'{comment}        "{key}": {written},\n')
        about = schema.get("description", "").split("\n")[0]
        types.append(f'{name} = TypedDict(\n    "{name}",\n    {{\n{"".join(fields)}    }},\n)\n"""{about}"""')
        return name
    plain = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}
    return plain.get(str(kind), "Any")


def _capitals(key: str) -> str:
    return "".join(word.capitalize() for word in key.split("-"))


def _word(schema: dict[str, Any]) -> str:
    """A word for one of several shapes: the constant that tells it apart."""
    for key, value in schema.get("properties", {}).items():
        if "const" in value:
            return _capitals(str(value["const"]))
        del key
    return ""
