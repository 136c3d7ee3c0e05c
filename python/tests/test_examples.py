"""The examples of the documentation run, and do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
DOCS = Path(__file__).parent.parent.parent / "docs"


def run(name: str, *args: Any, **options: Any) -> Any:
    return runpy.run_path(str(EXAMPLES / name))["main"](*args, **options)


def test_first_agent(capsys: pytest.CaptureFixture[str]) -> None:
    league = run("first_agent.py", games=80)
    elo = dict(zip(league.to_dict()["agent"], league.to_dict()["elo"], strict=True))
    assert elo["eval"] > elo["rule"], "the league tells its agents apart"
    assert "Miser" in elo and "Miser" in capsys.readouterr().out


def test_every_block_of_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "tutorial" / "first-agent-in-python.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, "first-agent-in-python.md", "exec"), {"__name__": "a block"})


def test_every_block_of_the_tutorial_of_games_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pettingzoo")
    page = (DOCS / "tutorial" / "first-game-in-python.md").read_text(encoding="utf-8")
    example, uses = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    (tmp_path / "kuhn.py").write_text(example)
    monkeypatch.syspath_prepend(tmp_path)
    exec(compile(uses, "first-game-in-python.md", "exec"), {"__name__": "a block"})


def test_every_block_of_the_page_about_search_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "how-to" / "search-in-python.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    assert len(blocks) == 3
    names: dict[str, Any] = {"__name__": "a block"}
    for block in blocks:
        exec(compile(block, "search-in-python.md", "exec"), names)
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_league_table(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    table = run("league_table.py", str(tmp_path / "league.png"), games=20)
    assert list(table.columns) == ["agent", "elo", "low", "high"] and (tmp_path / "league.png").stat().st_size > 1000


def test_train_policy() -> None:
    result = run("train_policy.py", rounds=60, games=400)
    interval = result.summary["difference"]["interval"]
    assert interval["low"] > 0, "it has learned to beat what it played against"


def test_alphazero() -> None:
    result = run("alphazero.py", games=60, judged=60)
    interval = result.summary["difference"]["interval"]
    assert interval["low"] > 0, "it beats random play"


def test_look_at_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = run("look_at_a_game.py", str(tmp_path / "game.svg"))
    printed = capsys.readouterr().out
    assert "▶ seat 0" in printed and live.actions[0] in printed
    assert (tmp_path / "game.svg").read_text().startswith("<svg")


def test_the_documentation_shows_the_examples_as_they_are() -> None:
    pages = [page.read_text(encoding="utf-8") for shelf in ("tutorial", "how-to") for page in (DOCS / shelf).glob("*.md")]
    for example in EXAMPLES.glob("*.py"):
        assert any(example.read_text(encoding="utf-8") in page for page in pages), example.name


def test_the_first_lines_of_the_package_are_true() -> None:
    import doctest

    import oboro

    assert doctest.testmod(oboro).failed == 0
