"""Games, live games, views, records, drawings."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
import signal
import threading
import xml.dom.minidom
from pathlib import Path

import numpy as np
import pytest
from conftest import TABLES

import oboro


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_every_game_is_played_to_its_end_and_its_record_replays(name: str, rules: dict[str, int]) -> None:
    game = oboro.game(name, **rules)
    live = game.new_game(["random"] * (game.seats - 1) + [None], seed=3)
    while not live.is_over:
        live.run()
        if live.to_act is not None:
            assert live.to_act == game.seats - 1
            live.play(live.actions[0])
    outcome = live.outcome
    assert outcome is not None and len(outcome["payoffs"]) == game.seats
    again = oboro.open_record(live.record())
    assert again.outcome == outcome and again.plies == live.plies == outcome["plies"]
    assert {fact["name"] for fact in game.facts} >= set(outcome["facts"])


@pytest.mark.parametrize("name", oboro.games())
def test_scenes_hide_what_a_seat_does_not_know(name: str) -> None:
    game = oboro.game(name)
    live = game.new_game(["random"] * (game.seats - 1) + [None], seed=1)
    live.run()
    truth, seen, public = live.scene("truth"), live.scene(game.seats - 1), live.scene("spectator")
    viewer = "viewer" if "viewer" in seen else "seat"  # as default scenes call it
    assert seen[viewer] == game.seats - 1 and truth[viewer] is None
    assert truth != seen != public
    assert live.view(game.seats - 1).scene == seen
    assert live.secrets(game.seats - 1) == live.view(game.seats - 1).secrets()
    json.dumps([truth, seen, public, live.described_actions(), live.story("spectator")])


@pytest.mark.parametrize("name", oboro.games())
def test_boards_draw_themselves(name: str) -> None:
    game = oboro.game(name)
    live = game.new_game(["random"] * (game.seats - 1) + [None], seed=2)
    live.run()
    assert str(live) == live.drawing(game.seats - 1), "its only player outside sees no more than its seat"
    assert str(live.view(0)) == live.drawing(0)
    for _ in range(12):
        if live.is_over:
            break
        live.play(live.actions[-1])
        live.run()
    for drawn in (live, live.view(0), live.at(min(3, live.plies))):
        picture = xml.dom.minidom.parseString(drawn._repr_svg_())
        assert picture.documentElement.tagName == "svg"


def test_an_svg_shows_no_more_than_its_scene() -> None:
    live = oboro.game("sevens").new_game(seed=5)
    hidden = live.scene("truth")["seats"][1]["hand"][0]
    mark = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[hidden[0]] + hidden[1:].replace("T", "10")
    assert mark in live._repr_svg_() and mark not in live.view(0)._repr_svg_()


def test_actions_by_notation_and_taking_back() -> None:
    live = oboro.game("sevens", players=3).new_game(["eval", "rule", None], seed=7)
    assert live.run() == [(0, "H8"), (1, "S8")]
    before, actions = live.scene(2), live.actions
    live.play(actions[0])
    assert live.plies == 3
    live.step()
    live.take_back(2)
    assert live.scene(2) == before and live.actions == actions
    live.reseat(2, "random")
    live.run()
    assert live.is_over and live.outcome is not None
    with pytest.raises(oboro.GameOver, match="the game is over"):
        live.play("pass")


def test_analyses_and_beliefs() -> None:
    live = oboro.game("geister").new_game(seed=4)
    for _ in range(8):
        live.play(live.actions[0])
    thought = live.analyse("mc:200")
    assert thought["choice"] in live.actions and thought["seat"] == live.to_act
    hidden = [piece for piece in live.scene(live.to_act)["pieces"] if piece["owner"] != live.to_act and not piece["captured"]]
    assert [belief["subject"] for belief in thought["baseline"]] == [piece["name"] for piece in hidden]
    assert sum(value["probability"] for value in thought["baseline"][0]["values"]) == pytest.approx(1)


def test_games_explain_themselves() -> None:
    game = oboro.game("geister")
    assert all(option["about"] for option in game.options)
    assert game.champion in [agent["name"] for agent in game.agents]
    assert game.schemas["scene"]["title"]
    assert pickle.loads(pickle.dumps(oboro.game("sevens", players=3))).seats == 3
    assert game.canonical("random") == "random"


@pytest.mark.parametrize(
    ("error", "kind", "message", "attempt"),
    [
        (oboro.SpecError, ValueError, "did you mean `sevens`", lambda: oboro.game("seven")),
        (oboro.SpecError, ValueError, "players", lambda: oboro.game("sevens", players=99)),
        (oboro.SpecError, ValueError, "players=x: expected a whole number", lambda: oboro.game("sevens", players="x")),
        (oboro.SpecError, ValueError, "agent", lambda: oboro.game("sevens").new_game(["nobody"] * 4)),
        (oboro.SpecError, ValueError, "4 seats", lambda: oboro.game("sevens").new_game(["random"])),
        (oboro.SpecError, ValueError, "no seed", lambda: oboro.game("sevens").new_game(seed=-1)),
        (oboro.PositionError, ValueError, "position", lambda: oboro.game("sevens").new_game(position="x")),
        (oboro.RecordError, ValueError, "line 1", lambda: oboro.open_record("x")),
        (oboro.SeatError, IndexError, "no seat 4", lambda: oboro.game("sevens").new_game().scene(4)),
        (oboro.SeatError, IndexError, "no seat -1", lambda: oboro.game("sevens").new_game().view(-1)),
        (oboro.SeatError, IndexError, f"no seat {2**70}", lambda: oboro.game("sevens").new_game().play("pass", 2**70)),
        (oboro.SpecError, ValueError, "deal: expected at least 0, found -1", lambda: oboro.game("sevens").new_game(deal=-1)),
        (oboro.SpecError, ValueError, f"deal: {2**64} is too large", lambda: oboro.game("sevens").deal(1, 2**64)),
        (oboro.SpecError, ValueError, "plies: expected at least 0, found -1", lambda: oboro.game("sevens").new_game().at(-1)),
        (oboro.SpecError, ValueError, "plies: expected at least 0, found -2", lambda: oboro.game("sevens").new_game().take_back(-2)),
        (oboro.SpecError, ValueError, "since: expected at least 0, found -1", lambda: oboro.game("sevens").new_game().story(0, -1)),
        (oboro.SpecError, ValueError, "found -1", lambda: oboro.game("sevens").new_game().view(0).imagine(-1)),
        (oboro.SpecError, ValueError, "playouts: expected at least 1, found -1", lambda: oboro.search(oboro.game("kuhn").new_game().view(0), uniform, -1)),
        (oboro.SpecError, ValueError, "iterations: expected at most", lambda: oboro.solve("kuhn", iterations=2**40)),
        (oboro.SeatError, IndexError, "expected a seat", lambda: oboro.game("sevens").new_game().scene("me")),
        (oboro.IllegalAction, ValueError, "suit", lambda: oboro.game("sevens").new_game().play("XX")),
        (oboro.TurnError, RuntimeError, "turn of seat", lambda: oboro.game("sevens").new_game().play("pass", 2)),
        (oboro.TurnError, RuntimeError, "outside", lambda: oboro.game("sevens").new_game().step()),
        (TypeError, TypeError, "players", lambda: oboro.game("sevens", players=[3])),
        (TypeError, TypeError, "seed", lambda: oboro.game("sevens").new_game(seed=1.5)),
        (TypeError, TypeError, "seat", lambda: oboro.game("sevens").new_game().view("0")),
        (TypeError, TypeError, "plies", lambda: oboro.game("sevens").new_game().at(1.5)),
    ],
)
def test_bad_input_raises_the_right_exception(error, kind, message, attempt) -> None:
    with pytest.raises(error, match=message) as raised:
        attempt()
    assert isinstance(raised.value, kind)


def test_ctrl_c_interrupts_thinking_and_leaves_the_game_as_it_was() -> None:
    # A search without end: that another thread comes to raise the signal shows that the lock is free, too.
    live = oboro.game("sevens").new_game(["mc:100000000", None, None, None], seed=1)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        live.step()
    assert live.plies == 0 and live.to_act == 0


def test_a_fault_of_the_engine_is_an_exception() -> None:
    with pytest.raises(oboro.EngineError, match="on purpose") as raised:
        oboro._engine._fall_over()
    assert isinstance(raised.value, RuntimeError)


def test_actions_by_number() -> None:
    live = oboro.game("geister").new_game(seed=1)
    for _ in range(6):
        view = live.view(live.to_act)
        assert live.action_indices == [view.number(action) for action in live.actions]
        number = int(view.mask.nonzero()[0][0])
        before = live.clone()
        live.play(number)
        before.play(view.action(number))
        assert live.record() == before.record()
    for wrong in (0, -1, 10**6):
        with pytest.raises(oboro.IllegalAction, match=f"action {wrong} is not legal for seat {live.to_act}"):
            live.play(wrong)
        with pytest.raises(oboro.IllegalAction, match=f"action {wrong} is not legal for seat {live.to_act}"):
            live.view(live.to_act).action(wrong)
    with pytest.raises(oboro.IllegalAction, match=f"action {2**70} is not legal"):
        live.play(2**70)
    for strange, kind in ((1.5, "float"), (True, "bool"), (None, "NoneType")):
        with pytest.raises(TypeError, match=f"its text or its number, not {kind}"):
            live.play(strange)
    with pytest.raises(oboro.TurnError, match="turn of seat"):
        live.play(number, 1 - live.to_act)


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_texts_count_seats_as_everything_else_does(name: str, rules: dict[str, int]) -> None:
    game = oboro.game(name, **rules)
    live = game.new_game(["random"] * game.seats, seed=9)
    live.run()
    told = [event for who in (*range(game.seats), "spectator", "truth") for event in live.story(who)]
    named = 0
    for event in told:
        en, ja = event["text"]["en"], event["text"]["ja"]
        assert "Player" not in en and "プレイヤー" not in ja
        for text, begins in ((en, rf"Seat {event['seat']}\b"), (ja, rf"席{event['seat']}(?!\d)")):
            if text.startswith(("Seat ", "席")):
                assert re.match(begins, text), "who acted is told first"
                named += 1
    assert named > 0
    assert "Player" not in json.dumps([live.scene("truth"), live.at(0).described_actions()])


def test_several_threads_look_at_a_game_while_it_is_played() -> None:
    live = oboro.game("geister").new_game(seed=1)
    seen: list[int] = []

    def look() -> None:
        for _ in range(100):
            seen.append(int(live.clone().view(0).planes.sum()))

    watchers = [threading.Thread(target=look) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    for _ in range(100):
        live.play(live.actions[0])
        live.take_back()
    for watcher in watchers:
        watcher.join()
    assert len(seen) == 300 and live.plies == 0


def _under_way(game: oboro.Game) -> oboro.Live:
    """A game that has gone on for a while, as far as it lasts so long."""
    for plays in (7, 2, 0):
        live = game.new_game([None] * (game.seats - 1) + ["random"], seed=5)
        for _ in range(plays):
            live.run()
            if not live.is_over:
                live.play(live.actions[0])
        live.run()
        if not live.is_over:
            return live
    raise AssertionError(game.name)


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_copies_go_their_own_way(name: str, rules: dict[str, int]) -> None:
    live = _under_way(oboro.game(name, **rules))
    record = live.record()
    for again in (live.clone(), copy.copy(live), copy.deepcopy(live), pickle.loads(pickle.dumps(live))):
        assert again.record() == record and again.seats == live.seats
        view, seen = again.view(live.to_act), live.view(live.to_act)
        assert (view.planes == seen.planes).all() and (view.features == seen.features).all()
        again.play(again.actions[-1])
        again.run()
        assert live.record() == record and again.plies > live.plies
    live.forfeit(0, "enough")
    assert live.clone().outcome == live.outcome == pickle.loads(pickle.dumps(live)).outcome


def test_hypotheses_are_all_games_that_agree_with_the_view() -> None:
    live = oboro.game("geister").new_game(seed=3)
    for _ in range(6):
        live.play(live.actions[0])
    seat = live.to_act
    assert seat is not None
    view = live.view(seat)
    found = view.hypotheses()
    assert found is not None and abs(sum(share for share, _ in found) - 1) < 1e-12
    assert len(found) == 70 and len(view.secrets()) == 8
    truths = {str(game.scene("truth")) for _, game in found}
    assert len(truths) == 70
    assert all(game.view(seat).information_state == view.information_state for _, game in found)
    start = oboro.game("kuhn").new_game(seed=1).view(0).hypotheses()
    assert start is not None and [share for share, _ in start] == [0.5, 0.5]
    assert oboro.game("sevens").new_game(seed=1).view(0).hypotheses() is None


@pytest.mark.parametrize(("name", "rules"), TABLES)
def test_an_imagined_game_agrees_with_the_view(name: str, rules: dict[str, int]) -> None:
    live = oboro.game(name, **rules).new_game(seed=6)
    rng = random.Random(1)
    differs = 0
    for _ in range(30):
        if live.is_over:
            break
        for seat in range(len(live.seats)):
            view = live.view(seat)
            for source in (rng, np.random.default_rng(1), 7, None):
                imagined = view.imagine(source)
                seen = imagined.view(seat)
                assert seen.information_state == view.information_state and imagined.to_act == live.to_act
                assert (seen.planes == view.planes).all() and (seen.features == view.features).all()
                differs += imagined.scene("truth") != live.scene("truth")
        imagined.play(imagined.actions[0])
        live.play(rng.choice(live.actions))
    assert differs > 0
    with pytest.raises(TypeError, match="rng: expected"):
        view.imagine("seed")


def test_a_view_computes_its_arrays_once() -> None:
    view = oboro.game("geister").new_game(seed=1).view(0)
    assert view.planes is view.planes and view.features is view.features and view.mask is view.mask
    assert view.rng is view.rng
    with pytest.raises(ValueError, match="read-only"):
        view.planes[0] = 1


def test_agents_of_the_engine_play_in_any_loop() -> None:
    live = oboro.game("sevens").new_game(seed=3)
    agents = [oboro.agent("eval"), oboro.agent("rule"), oboro.agent("random", seed=4), oboro.agent("mc:20")]
    while not live.is_over:
        live.play(agents[live.to_act].act(live.view(live.to_act)))
    assert live.outcome is not None
    with pytest.raises(oboro.GameOver):
        agents[0].act(live.view(0))
    fresh = oboro.game("sevens").new_game(seed=3)
    with pytest.raises(oboro.TurnError, match="turn of seat"):
        agents[0].act(fresh.view((fresh.to_act + 1) % 4))
    with pytest.raises(oboro.SpecError, match="agent"):
        oboro.agent("nobody").act(fresh.view(fresh.to_act))
    played = oboro.match("sevens", [oboro.agent("rule"), "random", "random", "random"], games=8)
    assert played.summary["games"] == 8


def test_a_view_leads_to_no_world() -> None:
    live = oboro.game("sevens").new_game(seed=1)
    view = live.view(1)
    assert not any("truth" in name or "world" in name or "record" in name for name in dir(view))
    with pytest.raises(TypeError):
        copy.copy(view)


def test_notebooks_show_what_the_browser_draws() -> None:
    from oboro.drawing import geister, labyrinth, pen, treasures

    web = Path(__file__).parents[2] / "web" / "src"
    boards = "".join(path.read_text() for path in sorted(web.rglob("*.tsx")))
    drawn = [*geister._GHOSTS.values(), geister._BROW, labyrinth._PAWN, *treasures.DRAWINGS.values()]
    assert len(drawn) == 29 and all(f'"{path}"' in boards for path in drawn)
    style = (web / "style.css").read_text()
    light = [pen.PAPER, pen.SHEET, pen.INK, pen.QUIET, pen.LINE, pen.ACCENT, pen.WARM, pen.COOL, pen.MOON, pen.MIST, pen.GOOD, *pen.SEATS]
    assert all(f"light-dark({colour}, " in style for colour in light)


def uniform(views: list[oboro.View]) -> tuple[list[list[float]], list[list[float]]]:
    """An evaluator that knows nothing."""
    return [[1 / len(view.actions)] * len(view.actions) for view in views], [[0.5] * 2 for _ in views]


def test_a_search_with_an_evaluator_is_repeatable_and_finds_the_end() -> None:
    live = oboro.game("geister").new_game(position="20 01B14R24R34R15B25B35B44R 52B42B32B41B53R43R33R31R")
    view = live.view(0)
    found = oboro.search(view, uniform, 400, seed=3)
    assert sum(found.visits.values()) == 400 and abs(sum(found.policy.values()) - 1) < 1e-9
    assert found == oboro.search(view, uniform, 400, seed=3)
    live.play(found.best)
    assert found.values[found.best] == max(found.values.values()) > 0.6, "a blue runs to the exit"


def test_a_search_asks_in_batches_and_by_the_views_of_whoever_moves() -> None:
    asked: list[list[oboro.View]] = []

    def evaluate(views: list[oboro.View]) -> tuple[list[list[float]], list[list[float]]]:
        asked.append(views)
        return uniform(views)

    view = oboro.game("leduc").new_game(seed=1).view(0)
    oboro.search(view, evaluate, 100, batch=10, seed=1)
    assert max(len(views) for views in asked) <= 10
    seats = {one.seat for views in asked for one in views}
    assert seats == {0, 1}
    own = {one.information_state for views in asked for one in views if one.seat == 0 and one.ply == view.ply}
    assert own == {view.information_state}, "nothing but what the seat knows"


def test_a_search_passes_on_what_its_evaluator_raises_or_gets_wrong() -> None:
    live = oboro.game("kuhn").new_game(seed=1)
    view = live.view(0)

    def fails(views: list[oboro.View]) -> tuple[list[list[float]], list[list[float]]]:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        oboro.search(view, fails, 10)
    with pytest.raises(oboro.SpecError, match="1 policies and 0 values for 1 views"):
        oboro.search(view, lambda views: ([[0.5, 0.5]], []), 10)
    with pytest.raises(ValueError, match="2 payoffs, one for each seat"):
        oboro.search(view, lambda views: ([[0.5, 0.5]] * len(views), [[0.0]] * len(views)), 10)
    with pytest.raises(ValueError, match="2 numbers from 0 on"):
        oboro.search(view, lambda views: ([[0.5, -0.5]] * len(views), [[0.0] * 2] * len(views)), 10)
    with pytest.raises(oboro.TurnError):
        oboro.search(live.view(1), uniform, 10)


def unaware(views: list[oboro.View]) -> tuple[list[list[float]], None]:
    """All actions alike, and no idea what positions are worth."""
    return [[1 / len(view.actions)] * len(view.actions) for view in views], None


@pytest.mark.parametrize("evaluate", [uniform, unaware])
def test_the_player_searches_with_an_evaluator(evaluate) -> None:
    asked: list[list[oboro.View]] = []

    def seen(views: list[oboro.View]):
        asked.append(views)
        return evaluate(views)

    live = oboro.game("leduc").new_game(seed=1)
    live.play(live.actions[-1])
    view = live.view(1)
    found = oboro.search(view, seen, 64, method="player", batch=8, seed=1)
    assert max(len(views) for views in asked) == 8 and [one.ply for one in asked[0]] == [1]
    assert {one.information_state for views in asked for one in views if one.seat == 1 and one.ply == 1} == {view.information_state}
    assert min(one.ply for views in asked for one in views) == 1 < max(one.ply for views in asked for one in views)
    assert sum(found.visits.values()) >= 64 and set(found.visits) == set(found.values) <= set(view.actions)
    assert sum(found.policy.values()) == pytest.approx(1) and found.best == max(found.policy, key=found.policy.get)
    for batch in (1, 3, 100):
        assert found == oboro.search(view, evaluate, 64, method="player", batch=batch, seed=1), "however many are asked together"
    assert found != oboro.search(view, evaluate, 64, method="player", seed=2)
    # From the live game it has seen the first action, too, and asks what it means.
    asked.clear()
    oboro.search(live, seen, 64, method="player", batch=8, seed=1)
    assert min(one.ply for views in asked for one in views) == 0
    assert oboro.search(live, evaluate, 50, seed=1) == oboro.search(view, evaluate, 50, seed=1) if evaluate is uniform else True


def test_the_player_finds_the_end_and_proves_it() -> None:
    live = oboro.game("geister").new_game(position="20 01B14R24R34R15B25B35B44R 52B42B32B41B53R43R33R31R")
    found = oboro.search(live, uniform, 64, method="player", seed=1)
    assert found.policy == {found.best: 1.0} and found.visits == {}, "a forced win needs no rollouts"


def test_the_player_hears_what_is_believed_of_cells() -> None:
    live = oboro.game("geister").new_game(seed=1)
    view = live.view(0)
    rows, columns = view.planes.shape[1:]

    def guesses(odds: float):
        def evaluate(views: list[oboro.View]):
            policies, values = uniform(views)
            return policies, values, [np.full((rows, columns), odds) if one.seat == 0 else None for one in views]

        return evaluate

    plain = oboro.search(view, uniform, 32, method="player", seed=1)
    assert oboro.search(view, guesses(0.0), 32, method="player", seed=1) == plain
    for wrong, said in [([0.5], f"beliefs: {rows * columns} log odds"), ([np.nan] * (rows * columns), "log odds")]:
        with pytest.raises(ValueError, match=said):
            oboro.search(view, lambda views: (*uniform(views), [wrong] * len(views)), 32, method="player", seed=1)


def test_a_player_with_a_good_evaluator_beats_random_play() -> None:
    strategy = oboro.solve("leduc", "cfr+", 50)

    class Searches:
        def act(self, view: oboro.View) -> str:
            evaluate = lambda views: ([strategy(one) for one in views], None)  # noqa: E731
            return oboro.search(view, evaluate, 16, method="player").best

    result = oboro.match("leduc", [Searches, "random"], games=100, seed=1, progress=False)
    assert result.summary["difference"]["interval"]["low"] > 0


def test_a_player_passes_on_what_its_evaluator_raises_or_gets_wrong() -> None:
    live = oboro.game("leduc").new_game(seed=1)
    live.play(live.actions[-1])
    calls = []

    def fails(views: list[oboro.View]):
        calls.append(len(views))
        if len(calls) == 3:
            raise ZeroDivisionError("on purpose")
        return uniform(views)

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        oboro.search(live, fails, 10**6, method="player")
    assert len(calls) == 3, "it is asked no more"
    for answer, said in [
        (lambda n: None, "not a pair of policies and values"),
        (lambda n: ([[0.5] * 2] * n, [[0.0] * 2] * n, [], []), "not a pair"),
        (lambda n: ([[0.5] * 7] * n, None), "7 probabilities"),
        (lambda n: ([[0.5] * len(live.actions)] * n, [[0.0]] * n), "2 payoffs, one for each seat"),
        (lambda n: ([[0.5] * len(live.actions)] * n, [[0.0] * 2] * n, [None] * (n + 1)), "2 beliefs for 1 views"),
        (lambda n: ([[0.5] * len(live.actions)] * n, None, [[0.0]] * n), "no board"),
        (lambda n: ([[-0.5] * len(live.actions)] * n, None), "numbers from 0 on"),
    ]:
        with pytest.raises(ValueError, match=said):
            oboro.search(live, lambda views: answer(len(views)), 10, method="player")
    for options, said in [
        ({"method": "magic"}, "method: expected 'tree' or 'player'"),
        ({"method": "player", "c": 1.0}, "c: method='player' has no such option"),
        ({"candidates": 4}, "candidates: method='tree' has no such option"),
        ({"method": "player", "candidates": 1}, "candidates: expected at least 2"),
        ({"method": "player", "temperature": 0.0}, "temperature"),
        ({"method": "player", "batch": 0}, "batch: expected at least 1"),
    ]:
        with pytest.raises(ValueError, match=said):
            oboro.search(live, uniform, 10, **options)
    with pytest.raises(oboro.TurnError):
        oboro.search(live.view(0), uniform, 10, method="player")
