"""Exact numbers for small games, beside OpenSpiel's where it is installed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import oboro


def uniform(view: oboro.View) -> list[float]:
    return [1 / len(view.actions)] * len(view.actions)


def leaning(view: oboro.View) -> list[float]:
    """Twice as likely as the one before, each."""
    weights = [2.0**place for place in range(len(view.actions))]
    return [weight / sum(weights) for weight in weights]


# What OpenSpiel 2.0.2 computes: open_spiel.python.algorithms.exploitability.exploitability(game, policy) with
# policy.UniformRandomPolicy, and with a TabularPolicy of the weights of `leaning` over legal_actions() in their order.
OPEN_SPIEL = {
    ("kuhn", "uniform"): 0.45833333333333326,
    ("kuhn", "leaning"): 0.33333333333333326,
    ("leduc", "uniform"): 2.373611111111111,
    ("leduc", "leaning"): 2.5515915007978496,
    ("liars-dice", "uniform"): 0.7807443231922397,
    ("liars-dice", "leaning"): 0.893308408817356,
}


@pytest.mark.parametrize(("name", "policy"), OPEN_SPIEL)
def test_exploitability_is_that_of_openspiel(name: str, policy: str) -> None:
    ours = oboro.exploitability(name, {"uniform": uniform, "leaning": leaning}[policy])
    assert ours == pytest.approx(OPEN_SPIEL[name, policy], abs=1e-9)


@pytest.mark.parametrize(("name", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker"), ("liars-dice", "liars_dice")])
@pytest.mark.parametrize("kind", ["uniform", "leaning"])
def test_openspiel_here_agrees(name: str, theirs: str, kind: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms.exploitability import exploitability

    game = pyspiel.load_game(theirs)
    tabular = policies.TabularPolicy(game)
    for row, mask in zip(tabular.action_probability_array, tabular.legal_actions_mask, strict=True):
        legal = np.flatnonzero(mask)
        weights = 2.0 ** np.arange(len(legal)) if kind == "leaning" else np.ones(len(legal))
        row[:] = 0
        row[legal] = weights / weights.sum()
    ours = oboro.exploitability(name, uniform if kind == "uniform" else leaning)
    assert ours == pytest.approx(exploitability(game, tabular), abs=1e-9)


def test_kuhn_is_solved_to_its_value(tmp_path: Path) -> None:
    strategy = oboro.solve("kuhn", "cfr+", 2000)
    assert repr(strategy) == f"<oboro.exact.SolvedStrategy, exploitability {strategy.exploitability:.6f}>"
    assert strategy.exploitability < 1e-3 and len(strategy) == 12
    assert strategy.exploitability == pytest.approx(oboro.exploitability("kuhn", strategy), abs=1e-12)
    assert strategy.payoffs[0] == pytest.approx(-1 / 18, abs=1e-3), "the value of the game (Kuhn 1950)"
    # A function that asks the strategy is the same policy.
    assert oboro.exploitability("kuhn", lambda view: strategy(view)) == pytest.approx(strategy.exploitability, abs=1e-12)
    file = tmp_path / "kuhn.txt"
    strategy.save(file)
    assert oboro.exploitability("kuhn", f"table:{file}") == pytest.approx(strategy.exploitability, abs=1e-6)
    result = oboro.match("kuhn", [strategy, "random"], games=40)
    assert result.summary["games"] == 40


def test_best_responses_win_what_exploitability_says() -> None:
    answers = [oboro.best_response("leduc", uniform, seat) for seat in (0, 1)]
    assert sum(answer.value for answer in answers) / 2 == pytest.approx(oboro.exploitability("leduc", uniform), abs=1e-12)
    # The response is one action at each of the seat's information states, and the others play on as before.
    live = oboro.game("leduc").new_game(seed=1)
    view = live.view(0)
    assert sorted(answers[0].policy(view).values())[-1] == 1.0
    assert list(answers[1].policy(view).values()) == pytest.approx(uniform(view))


def test_policies_come_in_many_forms_and_bad_ones_are_refused() -> None:
    wanted = oboro.exploitability("kuhn", uniform)
    forms = [
        lambda view: dict.fromkeys(view.actions, 1 / len(view.actions)),
        lambda view: {int(number): 1 / len(view.actions) for number in view.mask.nonzero()[0]},
        lambda view: view.mask / view.mask.sum(),
        "random",
    ]
    # A table of one's own, by information state.
    table = {state: dict.fromkeys(row, 1 / len(row)) for state, row in oboro.solve("kuhn", iterations=1).table.items()}
    for form in [*forms, table]:
        assert oboro.exploitability("kuhn", form) == pytest.approx(wanted, abs=1e-12)
    assert oboro.best_response("kuhn", table, 0).value == oboro.best_response("kuhn", uniform, 0).value
    missing = table.popitem()[0]
    with pytest.raises(oboro.SpecError, match=f"has no information state {re.escape(missing)}"):
        oboro.exploitability("kuhn", table)
    for bad, said in [
        (lambda view: [0.5] * len(view.actions) + [0.0], "probabilities for"),
        (lambda view: [0.6] * len(view.actions), "are no probabilities of"),
        (lambda view: [-1.0, 2.0], "are no probabilities of"),
        (lambda view: {"dance": 1.0}, "`dance` is no legal action"),
    ]:
        with pytest.raises(oboro.SpecError, match=said):
            oboro.exploitability("kuhn", bad)
    with pytest.raises(oboro.SpecError, match="cannot be solved|not small enough"):
        oboro.exploitability("sevens", uniform)
    with pytest.raises(oboro.SpecError, match="method"):
        oboro.solve("kuhn", "cfr++")
    with pytest.raises(oboro.SpecError, match="iterations"):
        oboro.solve("kuhn", iterations=0)
    with pytest.raises(oboro.SeatError):
        oboro.best_response("kuhn", uniform, 2)
