"""Iterations of counterfactual regret minimisation per second on one core: Oboro beside OpenSpiel's C++ and Python solvers, in one run.

    pip install open_spiel
    python bench/solve.py --oboro target/release/oboro --seconds 5

An iteration updates every information set of every player once. What is counted is the time on a core. Trees are built before the clock
starts: for `oboro solve` that is what one iteration takes. The last column is how far the average strategy can be exploited after a few
iterations, by each program's own account. They weigh the first strategies differently, so that it is not quite the same.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections.abc import Callable

#: Runs so many iterations; says how many seconds they had on a core, and can say how far the average strategy can be exploited.
Solve = Callable[[int], tuple[float, Callable[[], float]]]

GAMES = {"leduc": "leduc_poker", "liars-dice": "liars_dice"}


def ours(command: str, game: str, method: str) -> Solve:
    def once(iterations: int) -> tuple[float, float]:
        began = os.times()
        arguments = [command, "solve", game, "--method", method, "--iterations", str(iterations), "--json"]
        done = subprocess.run(arguments, check=True, capture_output=True, text=True)
        ended = os.times()
        spent = ended.children_user + ended.children_system - began.children_user - began.children_system
        return spent, json.loads(done.stdout)["steps"][-1]["exploitability"]

    before = once(1)[0]

    def run(iterations: int) -> tuple[float, Callable[[], float]]:
        spent, left = once(iterations)
        return max(spent - before, 1e-9), lambda: left

    return run


def open_spiel(game: str, make: Callable[[object], object], average: str, exploitability: Callable[..., float]) -> Solve:
    import pyspiel

    loaded = pyspiel.load_game(GAMES[game])

    def run(iterations: int) -> tuple[float, Callable[[], float]]:
        solver = make(loaded)
        began = time.process_time()
        for _ in range(iterations):
            solver.evaluate_and_update_policy()  # type: ignore[attr-defined]
        return time.process_time() - began, lambda: float(exploitability(loaded, getattr(solver, average)()))

    return run


def solvers(command: str, game: str, method: str) -> dict[str, Solve]:
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability

    plus = method == "cfr+"
    fast, slow = (pyspiel.CFRPlusSolver, cfr.CFRPlusSolver) if plus else (pyspiel.CFRSolver, cfr.CFRSolver)
    return {
        "Oboro": ours(command, game, method),
        "OpenSpiel, C++": open_spiel(game, fast, "tabular_average_policy", pyspiel.exploitability),
        "OpenSpiel, Python": open_spiel(game, slow, "average_policy", exploitability.exploitability),
    }


def per_second(run: Solve, seconds: float) -> float:
    """Iterations a second: twice as many each time, until they take so long."""
    iterations = 1
    while (spent := run(iterations)[0]) < seconds:
        iterations *= 2
    return iterations / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--oboro", default="oboro", help="the command")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each line runs at least")
    parser.add_argument("--check", type=int, default=2, help="iterations after which exploitability is compared")
    args = parser.parse_args()
    print(f"{'game and method':<18}{'solver':<20}{'iterations a second':>20}{'Oboro is':>12}{f'after {args.check}':>12}")
    for game in GAMES:
        for method in ("cfr", "cfr+"):
            first = 0.0
            for name, run in solvers(args.oboro, game, method).items():
                speed = per_second(run, args.seconds)
                first = first or speed
                left = run(args.check)[1]()
                print(f"{f'{game}, {method}':<18}{name:<20}{speed:>20,.1f}{first / speed:>11,.1f}x{left:>12.6f}", flush=True)


if __name__ == "__main__":
    main()
