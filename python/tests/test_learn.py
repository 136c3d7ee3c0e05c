"""The trainer, small: it plays, learns, stops, goes on, and leaves a policy that plays."""

from __future__ import annotations

import hashlib
import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")
pytest.importorskip("safetensors")

import jax
import jax.numpy as jnp

import oboro
from oboro.learn import Config, Policy, load, save
from oboro.learn.__main__ import main
from oboro.learn.card import Card
from oboro.learn.exact import Exact
from oboro.learn.golden import golden
from oboro.learn.player import Census, Reading
from oboro.learn.score import score
from oboro.learn.train import Trainer
from oboro.learn.update import advantages

ROOT = Path(__file__).parents[2]

SMALL = """
game = "{game}"
games = 16
plies = 6
updates = {updates}
minibatch = 8
channels = 8
"""


def settings(folder: Path, updates: int, more: str = "", game: str = "kuhn") -> Path:
    path = folder / f"run-{game}-{updates}.toml"
    path.write_text(SMALL.format(game=game, updates=updates) + more)
    return path


def trained(folder: Path, updates: int, more: str = "", game: str = "kuhn") -> tuple[Trainer, list[dict[str, float]]]:
    trainer = Trainer(Config.read(settings(folder, updates, more, game)), folder / "run")
    lines: list[dict[str, float]] = []
    trainer.run(report=lines.append)
    return trainer, lines


def test_a_run_is_stopped_and_gone_on_with(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main(["train", str(settings(tmp_path, 2)), str(run)]) == 0
    before, about = load(run / "policy.safetensors")
    assert about["update"] == "2" and json.loads(about["config"])["channels"] == 8
    trainer, lines = trained(tmp_path, 3)
    after, _ = load(run / "policy.safetensors")
    assert lines[-1]["update"] == 3 and lines[-1]["plies"] == 3 * 16 * 6
    assert any((before[name] != after[name]).any() for name in before)
    with pytest.raises(ValueError, match="other nets"):
        Trainer(Config.read(settings(tmp_path, 4, "blocks = 2\n")), run)


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


@pytest.mark.parametrize("game", oboro.games())
def test_every_game_is_learned_from_its_name(game: str, tmp_path: Path) -> None:
    more = 'rules = { cards = 4 }\n' if game == "goofspiel" else ""
    trainer, lines = trained(tmp_path, 1, more, game)
    seats = trainer.tables[0].players
    assert trainer.state["nets"]["critic"]["board.bias"].shape[0] >= seats
    assert all(np.isfinite(value) for value in lines[-1].values())
    # What it leaves plays in a match.
    policy = Policy(tmp_path / "run/policy.safetensors")
    live = oboro.game(game, **policy.config.rules).new_game(["random"] * seats, seed=1)
    seat = live.to_act
    assert seat is not None
    told = policy(live.view(seat))
    assert list(told) == live.view(seat).actions and abs(sum(told.values()) - 1) < 1e-6


def test_the_exploitability_of_the_curve_is_that_of_the_policy_as_an_agent(tmp_path: Path) -> None:
    trainer, lines = trained(tmp_path, 20, "exact_every = 10\n")
    assert len([line for line in lines if "exploitability" in line]) == 2
    policy = Policy(tmp_path / "run/policy.safetensors")
    assert abs(oboro.exploitability("kuhn", policy) - lines[-1]["exploitability"]) < 1e-3
    # Uniform play is exploited by as much as the docs say.
    uniform = {name: jnp.zeros_like(value) for name, value in trainer.state["magnet"].items()}
    exact = Exact(trainer.config, trainer.reading)
    assert abs(exact.exploitability(uniform) - 0.4583) < 1e-4


def test_self_play_converges_in_kuhn_poker(tmp_path: Path) -> None:
    """Uniform play is exploitable by 0.4583, always betting by 1/3, and plain gradients go round in circles."""
    more = "games = 512\nminibatch = 128\nplies = 8\nchannels = 32\nlearning_rate = [3e-3, 3e-4]\nexact_every = 100\n"
    text = settings(tmp_path, 100).read_text().replace("games = 16\nplies = 6\n", "").replace("minibatch = 8\nchannels = 8\n", "")
    path = tmp_path / "kuhn.toml"
    path.write_text(text + more)
    trainer = Trainer(Config.read(path), tmp_path / "run")
    lines: list[dict[str, float]] = []
    trainer.run(report=lines.append)
    assert lines[-1]["exploitability"] < 0.12


def test_policies_are_scored_and_exploited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(tmp_path, 10)
    net = str(tmp_path / "run/policy.safetensors")
    result = score(net, "random", 100, 1.0, 5)
    assert -2 <= result["interval"]["low"] <= result["payoff"] <= result["interval"]["high"] <= 2
    even = score(net, net, 100, 1.0, 5)
    assert even["interval"]["low"] <= 0 <= even["interval"]["high"]
    capsys.readouterr()
    assert main(["exploit", net, "--samples", "0.5", "--games", "20"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["begins"] for line in told] == ["nothing", "the policy"]
    assert all(line["plies"] == 5 * 16 * 6 for line in told)
    with pytest.raises(SystemExit):
        main(["exploit", net, "--samples", "2"])
    assert "at most 1, not 2.0" in capsys.readouterr().err


def test_only_one_seat_learns_against_the_frozen(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    net = tmp_path / "run/policy.safetensors"
    path = settings(tmp_path, 2, f'frozen_opponent = "{net} {net}"\n')
    trainer = Trainer(Config.read(path), tmp_path / "exploiter")
    batches = trainer._play(jax.random.key(1))
    row = batches[0]["rows"][0]
    assert (np.asarray(row["own"]) == (np.asarray(row["seat"]) == np.arange(4) % 2)).all()
    # Those that do not learn draw by their policy alone.
    assert np.allclose(np.asarray(row["ratio"])[np.asarray(row["own"]) == 0], 1)
    lines: list[dict[str, float]] = []
    trainer.run(report=lines.append)
    assert "against frozen" in lines[-1]


def test_random_actions_of_others_are_discounted(tmp_path: Path) -> None:
    """The policy bets one time in eight. Because of random actions seat 1 meets a bet far more often; by weight it does not."""
    path = settings(tmp_path, 1, "explore_first = 0.5\nexplore = 0.5\n").read_text().replace("games = 16", "games = 4096")
    (tmp_path / "run.toml").write_text(path)
    trainer = Trainer(Config.read(tmp_path / "run.toml"), tmp_path / "run")
    policy = {name: jnp.zeros_like(value) for name, value in trainer.state["nets"]["policy"].items()}
    live = oboro.game("kuhn").new_game(["random"] * 2, seed=1)
    bet = live.view(0).number("bet")
    policy["board.bias"] = policy["board.bias"].at[bet].set(-2.0)
    trainer.state["nets"]["policy"] = policy
    likely = 1 / (1 + np.exp(2.0))
    rows = trainer._play(jax.random.key(1))[0]["rows"]
    met = np.asarray(rows[0]["action"]) == bet
    assert (np.asarray(rows[1]["seat"]) == 1).all()
    assert met.mean() > likely + 0.05
    assert abs((np.asarray(rows[1]["own"]) * met).mean() - likely) < 0.02
    # Nothing is discounted where nobody has moved, or where one explored oneself.
    assert np.allclose(np.asarray(rows[0]["own"]), 1) and np.allclose(np.asarray(rows[1]["own"])[1::2], 1)
    # Nor where strangers are expected to err.
    (tmp_path / "run.toml").write_text(path + "expect_errors = true\n")
    trainer = Trainer(Config.read(tmp_path / "run.toml"), tmp_path / "other")
    assert all((np.asarray(row["own"]) == 1).all() for part in trainer._play(jax.random.key(1)) for row in part["rows"])


def test_one_seat_draws_first_actions_at_random(tmp_path: Path) -> None:
    """The policy never bets, so that a bet is a random action."""
    path = settings(tmp_path, 1, "explore_first = 0.5\nexplore = 0.0\n").read_text().replace("games = 16", "games = 4096")
    (tmp_path / "run.toml").write_text(path)
    trainer = Trainer(Config.read(tmp_path / "run.toml"), tmp_path / "run")
    bet = oboro.game("kuhn").new_game(["random"] * 2, seed=1).view(0).number("bet")
    policy = {name: jnp.zeros_like(value) for name, value in trainer.state["nets"]["policy"].items()}
    policy["board.bias"] = policy["board.bias"].at[bet].set(-50.0)
    trainer.state["nets"]["policy"] = policy
    rows = trainer._play(jax.random.key(1))[0]["rows"]
    bets = [np.asarray(row["action"]) == bet for row in rows[:2]]
    # Seats explore in turn, from game to game: seat 0 in even ones, half of its first actions, which are bets half of the time.
    assert abs(bets[0][::2].mean() - 0.25) < 0.05 and not bets[0][1::2].any()
    assert abs(bets[1][1::2].mean() - 0.25) < 0.05 and not bets[1][::2].any()


def test_advantages_of_every_seat_by_hand() -> None:
    """Three plies of one game, which seat 1 wins, and the first of the next; with a decay of 1/2."""
    values = np.array([[[0.0, 0.1]], [[0.5, -0.5]], [[0.0, 0.2]], [[0.25, 0.0]]], np.float32)
    paid = np.zeros((4, 1, 2), np.float32)
    paid[2, 0] = (-1, 1)
    done = np.array([[False], [False], [True], [False]])
    last = np.array([[0.1, -0.1]], np.float32)
    ratio = np.array([[1.0], [0.5], [2.0], [1.0]], np.float32)
    found = np.asarray(advantages(0.5, values, last, paid, done, ratio))[:, 0]
    third = np.array([-1 - 0.0, 1 - 0.2])
    second = np.array([0.0 - 0.5, 0.2 + 0.5]) + 0.5 * 2.0 * third
    first = np.array([0.5 - 0.0, -0.5 - 0.1]) + 0.5 * 0.5 * second
    fourth = np.array([0.1 - 0.25, -0.1 - 0.0])
    np.testing.assert_allclose(found, [first, second, third, fourth], rtol=1e-5)


def test_the_census_knows_what_a_game_shows_and_pays() -> None:
    census = Census.take(Config(game="leduc"), plies=32768)
    assert census.seats == 2 and census.low < -10 and census.high > 10 and abs(census.mean) < 0.01
    # The card that is held has six values, and the seat two.
    channels = oboro.layout("leduc").observation.features
    of = {name: number for number, name in enumerate(channel.name for channel in channels)}
    assert sum(feature == of["second"] for feature, _ in census.features) == 2
    assert Census.of(census.text()) == census


def test_the_engine_reads_the_net_of_sevens_as_the_trainer_does() -> None:
    policy = Policy(ROOT / "games/sevens/nets/policy.safetensors")
    live = oboro.game("sevens").new_game(["random"] * 4, seed=3)
    compared = 0
    while not live.is_over:
        seat = live.to_act
        assert seat is not None
        ours = policy(live.view(seat))
        told = live.analyse("oboro:0")["values"]
        for value in told:
            assert abs(value["value"] - ours[value["action"]]) < 1e-3, value
        compared += len(told)
        live.step()
    assert compared > 50


def test_settings_are_checked(tmp_path: Path) -> None:
    for text, said in [
        ("games = 4", "`game` is missing"),
        ("game = 'kuhn'\ngmaes = 4", "gmaes"),
        ("game = 'kuhn'\ngames = 'many'", "games"),
        ("game = 'kuhn'\ngames = 8\nminibatch = 3", "minibatch"),
        ("game = 'kuhn'\nnet = 'deep'", "flat, board, series"),
        ("game = 'kuhn'\nentropy = [0.1]", "two numbers"),
        ("game = 'kuhn'\nexplore = 1.0", "explore"),
        ("game = 'kuhn'\nexplore_first = -0.1", "explore_first"),
        ("game = 'kuhn'\nexpect_errors = 1", "expect_errors"),
        ("game = 'kuhn'\ngames = 6\nminibatch = 2", "multiple of 4"),
        ("game = 'kuhn'\naverage_power = -1.0", "average_power"),
    ]:
        path = tmp_path / "bad.toml"
        path.write_text(text)
        with pytest.raises(ValueError, match=said):
            Config.read(path)
    with pytest.raises(ValueError, match="no board"):
        Reading.of(Config(game="kuhn", net="board"), Census.take(Config(game="kuhn"), plies=4096))
    for path in sorted((ROOT / "python/runs").glob("*.toml")):
        Config.read(path)


def cards() -> list[Path]:
    return sorted((ROOT / "models").glob("*/model.toml"))


def test_every_file_a_recipe_names_is_there_or_is_made_by_another() -> None:
    known = [Card.read(path) for path in cards()]
    made = {file for card in known if card.run for file in card.weights}
    assert {card.path.parent.name for card in known} >= {"geister", "sevens", "kuhn"}
    assert [fault for card in known for fault in card.faults(ROOT, made)] == []
    # Every shipped net stands in a card.
    shipped = {str(path.relative_to(ROOT)) for of in ("games", "models") for path in (ROOT / of).rglob("*.safetensors")}
    assert shipped == {file for card in known for file in card.weights}


def test_a_card_says_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(
        'about = "x"\n[weights]\n"gone" = "0"\n"model.toml" = "0"\n[run]\ngame = "kuhn"\nbegin = "parent"\n[made]\nseeds = [1]\n[evaluation]\n'
    )
    card = Card.read(path)
    assert [fault.split(": ", 1)[1] for fault in card.faults(tmp_path, set())] == [
        "the weights `gone` are missing",
        "the weights `model.toml` have another SHA-256",
        "`parent`, which the run reads, is missing, and no recipe makes it",
    ]
    assert len(card.faults(tmp_path, {"parent"})) == 2


def test_a_small_model_is_made_again_from_its_card(tmp_path: Path) -> None:
    card = Card.read(ROOT / "models/kuhn/model.toml")
    seed = card.made["seeds"][0]
    (told,) = card.make(tmp_path, [seed])
    # Floating point differs from machine to machine, and so do the games from there on.
    assert abs(told["exploitability"] - told["exploitability on the card"]) < 0.03, told
    ours, about = load(tmp_path / str(seed) / "policy.safetensors")
    theirs, _ = load(ROOT / "models/kuhn/policy.safetensors")
    assert {n: a.shape for n, a in ours.items()} == {n: a.shape for n, a in theirs.items()}
    assert int(about["plies"]) == card.made["plies"]
    assert hashlib.sha256((ROOT / "models/kuhn/policy.safetensors").read_bytes()).hexdigest() in card.weights.values()


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
