"""Writes docs/reference/python-api.md from signatures and docstrings. Run by the tests: OBORO_BLESS=1 rewrites it.

Signatures of what is written in Rust are those of the stubs, its docstrings those of the built engine. Everything else is read from
the modules.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import oboro
from oboro import _engine

PACKAGE = Path(__file__).parents[1] / "src" / "oboro"

HEAD = """\
# The Python package: every class and function

This page is generated from signatures and docstrings: a test compares it with the package, and `cargo xtask bless` writes it anew.
[The Python package](python.md) says what belongs together. The types of scenes are in `oboro.scenes`.
"""

SECTIONS = [
    ("Games and positions", "_engine", ["games", "game", "Game", "Live", "View", "open_record"]),
    ("Games of your own", "own_games", None),
    ("Agents", "agents", None),
    ("Matches, leagues, experiments", "matches", None),
    ("Results", "results", None),
    ("Many games at once", "batch", None),
    ("Environments", "envs", None),
    ("Search", "searches", None),
    ("Exact numbers", "exact", None),
    ("Statistics", "stats", None),
    ("Errors", "errors", None),
]
"""Title, module, and which of its names; without them all that it lists."""

SPECIAL = ("__call__", "__len__", "__getitem__")
"""Special methods that are worth a line where they have a docstring."""

WIDTH = 120


@dataclass
class Entry:
    """Something that can be named: a class, a function, a variable, a member."""

    name: str
    signature: str
    doc: str
    members: list[Entry] = field(default_factory=list)


def page() -> str:
    """The whole text of the page."""
    lines = [HEAD]
    for title, entries in _sections():
        lines.append(f"## {title}\n")
        for entry in entries:
            lines += [f"### `{entry.name}`\n", f"```python\n{entry.signature}\n```\n", *([f"{entry.doc}\n"] if entry.doc else [])]
            for member in entry.members:
                lines.append(f"- `{member.signature}`" + (f": {' '.join(member.doc.split())}" if member.doc else ""))
            lines += [""] if entry.members else []
    return "\n".join(lines)


def undocumented() -> list[str]:
    """What is public and has no docstring."""
    entries = [entry for _, entries in _sections() for entry in entries]
    members = [(f"{entry.name}.{member.name}", member) for entry in entries for member in entry.members]
    return [name for name, entry in [*((entry.name, entry) for entry in entries), *members] if not entry.doc]


def _sections() -> Iterator[tuple[str, list[Entry]]]:
    for title, module, names in SECTIONS:
        is_engine = module in ("_engine", "stats")
        source = PACKAGE / ("_engine.pyi" if is_engine else f"{module}.py")
        found = {entry.name: entry for entry in _entries(ast.parse(source.read_text(encoding="utf-8")).body)}
        entries = []
        for name in names or _listed(PACKAGE / f"{module}.py"):
            entry = found[name]
            if is_engine:
                built = getattr(_engine, name)
                entry.doc = inspect.getdoc(built) or ""
                for member in entry.members:
                    member.doc = inspect.getdoc(getattr(built, member.name)) or ""
            entry.name = f"oboro.{name}" if name in oboro.__all__ else f"oboro.{module}.{name}"
            entries.append(entry)
        yield title, entries


def _listed(source: Path) -> list[str]:
    """What a module lists as its own."""
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    raise ValueError(f"{source} has no __all__")


def _entries(body: list[ast.stmt], within: str = "") -> Iterator[Entry]:
    """What a module, a class or its constructor defines. The docstring of a variable is the text below it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(base for base in map(ast.unparse, node.bases) if not base.startswith("_"))
            members = [one for one in _entries(node.body, node.name) if not one.name.startswith("_") or (one.name in SPECIAL and one.doc)]
            signature = f"class {node.name}({bases})" if bases else f"class {node.name}"
            yield Entry(node.name, signature, ast.get_docstring(node) or "", members)
        elif isinstance(node, ast.FunctionDef):
            yield Entry(node.name, _signature(node, within), ast.get_docstring(node) or "")
            if node.name == "__init__":
                yield from _entries(node.body, "__init__")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
            doc = inspect.cleandoc(ast.literal_eval(after.value)) if is_text and isinstance(after, ast.Expr) else ""
            kind = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
            if isinstance(target, ast.Name) and within != "__init__":
                yield Entry(target.id, target.id + kind if within else ast.unparse(node), doc)
            elif isinstance(target, ast.Attribute) and doc:
                yield Entry(target.attr, target.attr + kind, doc)


def _signature(node: ast.FunctionDef, within: str) -> str:
    """The head of a function, over several lines if it is long; a method in one line, a property as a variable."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if "property" in decorators or "functools.cached_property" in decorators:
        return f"{node.name}{returns.replace(' ->', ':')}"
    if within and "staticmethod" not in decorators:
        node.args.args.pop(0)
    arguments = ast.unparse(node.args).replace("=", " = ")
    line = f"{node.name}({arguments}){returns}"
    if within:
        return line
    if len(line) <= WIDTH:
        return line
    parts = [""]
    depth = 0
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return f"{node.name}(\n" + "".join(f"    {part.strip()},\n" for part in parts) + f"){returns}"
