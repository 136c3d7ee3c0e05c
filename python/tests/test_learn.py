"""The trainer, small: it plays, learns, stops, goes on, and leaves a policy that plays."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
import jax.numpy as jnp

import oboro
from oboro.learn import Config, load, save
from oboro.learn.__main__ import main
from oboro.learn.golden import golden
from oboro.learn.player import Reading
from oboro.learn.score import score
from oboro.learn.train import Trainer, advantages

ROOT = Path(__file__).parents[2]

SMALL = """
game = "geister"
games = 16
plies = 6
updates = {updates}
minibatch = 8
channels = 8
blocks = 1
critic_blocks = 1
belief_plane = "enemy"
setup_feature = "own placed"
snapshot_every = 1
magnet_every = 2
snapshots = 2
precision = "float32"
"""


def settings(folder: Path, updates: int, more: str = "") -> Path:
    path = folder / f"run-{updates}.toml"
    path.write_text(SMALL.format(updates=updates) + more)
    return path


def test_a_run_is_stopped_gone_on_with_and_played(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main(["train", str(settings(tmp_path, 2)), str(run)]) == 0
    before, about = load(run / "policy.safetensors")
    assert about["update"] == "2" and json.loads(about["config"])["channels"] == 8
    trainer = Trainer(Config.read(settings(tmp_path, 3)), run)
    assert trainer.update == 2 and len(trainer.snapshots) == 2
    lines: list[dict[str, float]] = []
    trainer.run(report=lines.append)
    after, _ = load(run / "policy.safetensors")
    assert lines[-1]["update"] == 3 and lines[-1]["plies"] == 3 * 16 * 6
    assert any((before[name] != after[name]).any() for name in before)
    result = score(str(run / "policy.safetensors"), "random", 4, 1.0, 5)
    assert result["won"] + result["drawn"] + result["lost"] == 4
    # Somebody else learns to beat it, and to beat either of two.
    frozen = str(run / "policy.safetensors")
    for number, opponent in enumerate([frozen, f"{frozen} {tmp_path / 'exploit-0/policy.safetensors'}"]):
        fixed = settings(tmp_path, 1, f'frozen_opponent = "{opponent}"\n')
        assert main(["train", str(fixed), str(tmp_path / f"exploit-{number}")]) == 0
    # Another net is met by its path, whatever its shape.
    champion = str(ROOT / "games/geister/nets/third.safetensors")
    result = score(str(tmp_path / "exploit-0/policy.safetensors"), champion, 6, 1.0, 5, frozen_temperature=0.5)
    assert result["won"] + result["drawn"] + result["lost"] == 6


def kill_at(trainer: Trainer, update: int) -> bool:
    if trainer.update == update:
        raise RuntimeError("killed")
    return False


def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    run, config = tmp_path / "run", Config.read(settings(tmp_path, 20))
    trainer, lines = Trainer(config, run), list[dict[str, float]]()
    trainer.checkpoint()
    trainer.checkpoint, before = lambda: None, trainer.checkpoint  # type: ignore[method-assign]
    trainer.run(stop=lambda: trainer.update == 12, report=lines.append)
    assert [line["update"] for line in lines] == [10] and lines[0]["minutes left"] > 0
    # Half a line, as a kill leaves it.
    with open(run / "curve.jsonl", "a") as file:
        file.write('{"update": 2')
    assert Trainer(config, run).update == 0 and (run / "curve.jsonl").read_text() == ""
    trainer.checkpoint = before  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="killed"):
        trainer.run(stop=lambda: kill_at(trainer, 14), report=lines.append, checkpoint_minutes=0.0)
    assert Trainer(config, run).update == 14


def test_a_signal_stops_a_run_after_an_update_and_a_second_one_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def ask(trainer: Trainer, stop: Any, **_: Any) -> None:
        asked.append(stop())
        signal.raise_signal(signal.SIGTERM)
        asked.append(stop())
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Trainer, "run", ask)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert main(["train", str(settings(tmp_path, 1)), str(tmp_path / "run")]) == 128 + signal.SIGTERM
    assert asked == [False, True]
    # Whoever trains inside a program of their own keeps their signals.
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_game_of_many_is_learned_against_agents(tmp_path: Path) -> None:
    path = tmp_path / "sevens.toml"
    many = """
game = "sevens"
net = "series"
games = 16
plies = 20
updates = 2
minibatch = 8
channels = 8
blocks = 1
critic_blocks = 1
cell_actions = 1
max_payoff = 2.0
opponents = ["rule rule rule", "eval random eval"]
opponent_games = 8
precision = "float32"
"""
    path.write_text(many)
    trainer = Trainer(Config.read(path), tmp_path / "run")
    sat = {(name, seat) for table in trainer.tables for name, seat, _ in table.opponents}
    assert sat == {(name, seat) for name in ("rule rule rule", "eval random eval") for seat in range(4)}
    lines: list[dict[str, float]] = []
    trainer.run(report=lines.append)
    assert {"against rule rule rule", "against eval random eval"} <= lines[-1].keys()
    result = score(str(tmp_path / "run/policy.safetensors"), "rule eval random", 6, 1.0, 5)
    assert result["games"] == 6 and 0 <= result["share"] <= 2
    for change, said in [
        (("rule rule rule", "rule rule"), "2 opponents, and 3 seats are free"),
        (("opponent_games = 8", "opponent_games = 4"), "playing oneself"),
        (("plies = 20", "plies = 20\nrules = { players = 3 }"), "multiple of 3"),
        (("plies = 20", "plies = 20\nrules = { players = 8 }"), "players=8: from 3 to 6"),
    ]:
        path.write_text(many.replace(*change))
        with pytest.raises(ValueError, match=said):
            Trainer(Config.read(path), tmp_path / "bad")


def test_the_engine_reads_the_net_of_sevens_as_the_trainer_does() -> None:
    arrays, about = load(ROOT / "games/sevens/nets/policy.safetensors")
    made = json.loads(about["config"])
    config = Config.of(made)
    params = {name: jnp.asarray(value, jnp.float32) for name, value in arrays.items()}
    reading = Reading.of(config, oboro.layout("sevens"))
    live = oboro.game("sevens").new_game(["random"] * 4, seed=3)
    compared = 0
    while not live.is_over:
        seat = live.to_act
        assert seat is not None
        view = live.view(seat)
        seen = reading.inputs(jnp.array(view.planes)[None], jnp.array(view.features)[None])
        log, _, _ = reading.answers(params, *seen, jnp.array(view.mask)[None], jnp.float32)
        told = live.analyse("oboro:0")["values"]
        for value in told:
            theirs = float(jnp.exp(log[0, view.number(value["action"])]))
            assert abs(value["value"] - theirs) < 1e-3, (value, theirs)
        compared += len(told)
        live.step()
    assert compared > 50


def test_a_run_begins_from_another_and_meets_all_kinds_of_company(tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert main(["train", str(settings(tmp_path, 1)), str(first)]) == 0
    net = first / "policy.safetensors"
    more = f"""
games = 32
plies = 40
begin = "{first}"
rivals = ["{net}"]
snapshots_at_once = 2
snapshot_temperatures = [0.5, inf]
opponents = ["random", "keeper"]
opponent_games = 8
setup_entropy = 3.0
keep_every = 1
"""
    path = tmp_path / "second.toml"
    path.write_text(SMALL.format(updates=2).replace("games = 16\nplies = 6\n", "") + more)
    trainer = Trainer(Config.read(path), tmp_path / "second")
    weights, _ = load(net)
    begun = trainer.state["nets"]["policy"]
    assert all(np.allclose(begun[name], weights[name], atol=1e-3) for name in weights)
    lines: list[dict[str, float]] = []
    trainer.run(report=lines.append)
    assert lines[-1]["plies"] == 16 * 6 + 2 * 32 * 40
    assert {"against random", "against keeper", "against snapshots"} <= lines[-1].keys()
    assert (tmp_path / "second/policy-0001.safetensors").exists()


def test_advantages_turn_their_sign_from_seat_to_seat() -> None:
    """Three plies of one game, which the mover of the last wins; by hand, with a decay of 1/2."""
    values = np.array([[0.0], [0.5], [0.0], [0.25]], np.float32)
    seats = np.array([[0], [1], [0], [1]], np.uint8)
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[2, 0] = (1, 0)
    done = np.array([[False], [False], [True], [False]])
    last = np.array([0.1], np.float32)
    found = advantages(0.5, values, last, seats, np.array([0], np.uint8), rewards, done)
    third = 1 - 0.0
    second = -0.0 - 0.5 - 0.5 * third
    first = -0.5 - 0.0 - 0.5 * second
    fourth = -0.1 - 0.25
    np.testing.assert_allclose(np.asarray(found)[:, 0], [first, second, third, fourth], rtol=1e-6)


def test_set_ups_are_drawn_from_those_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = settings(tmp_path, 1, "random_setup = 1.0\nsetups = [145, 182]\n")
    trainer = Trainer(Config.read(path), tmp_path / "run")
    first, *_ = trainer._play(*trainer._opponents(np.random.default_rng(1)), jax.random.key(1))
    # Both seats place first, and nothing is learned from what was not chosen.
    placed = np.concatenate([np.asarray(row["action"]) for row in first["rows"][:2]])
    assert set(placed.tolist()) == {145, 182}
    assert not np.asarray(first["rows"][0]["own"]).any()
    path.write_text(path.read_text().replace("182", "999"))
    with pytest.raises(SystemExit):
        main(["train", str(path), str(tmp_path / "bad")])
    assert "from 144 to 213, not 999" in capsys.readouterr().err


def test_settings_are_checked(tmp_path: Path) -> None:
    for text, said in [
        ("gmaes = 4", "gmaes"),
        ("games = 'many'", "games"),
        ("games = 6\nminibatch = 2", "minibatch"),
        ("games = 8\nminibatch = 4\nopponents = ['random']", "opponent_games"),
        ("snapshot_temperatures = [0.0]", "temperatures"),
        ("net = 'deep'", "board, series"),
        ("frozen_temperature = 0.0", "frozen_temperature"),
        ("random_setup = 2", "random_setup"),
    ]:
        path = tmp_path / "bad.toml"
        path.write_text(text)
        with pytest.raises(ValueError, match=said):
            Config.read(path)
    for path in sorted((ROOT / "python/runs").glob("*.toml")):
        Config.read(path)


def test_arrays_survive_a_file(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6, dtype=np.float16).reshape(2, 3), "b": np.array([1.5], np.float32)}
    save(tmp_path / "x.safetensors", arrays, {"made": "here"})
    read, about = load(tmp_path / "x.safetensors")
    assert about == {"made": "here"} and all((read[name] == arrays[name]).all() for name in arrays)
    (tmp_path / "bad").write_bytes(b"\1\0\0\0\0\0\0\0{")
    with pytest.raises(ValueError, match="no file of named arrays"):
        load(tmp_path / "bad")


def test_the_tiny_nets_of_the_engine_are_those_made_here(tmp_path: Path) -> None:
    for kind, file in [("board", "tiny.safetensors"), ("series", "tiny-set.safetensors")]:
        golden(tmp_path / file, kind)
        ours, _ = load(tmp_path / file)
        theirs, _ = load(ROOT / "nets/tests" / file)
        assert ours.keys() == theirs.keys()
        for name in ours:
            np.testing.assert_allclose(ours[name], theirs[name], atol=2e-3, err_msg=name)
