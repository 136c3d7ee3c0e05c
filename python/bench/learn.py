"""Exact exploitability of what `oboro.learn` learns in small games, by method: mean and 95 % interval over seeds.

    pip install './python[learn]'
    python python/bench/learn.py kuhn leduc --methods qpg ppo --seeds 5 --updates 200

Every run has the defaults of `Config` but for its size, below. The column of plies says how many decisions each run has learned from, and that of
seconds how long this process was on a core for each, all its threads together.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace

import oboro
from oboro.learn import Config
from oboro.learn.config import METHODS
from oboro.learn.train import Trainer

#: Games stepped together, plies between two updates, games of a step of the optimiser, width, learning rates.
SIZES = {
    "kuhn": (512, 8, 128, 32, (3e-3, 3e-4)),
    "leduc": (1024, 8, 128, 128, (1e-3, 1e-5)),
    "liars-dice": (1024, 8, 128, 128, (1e-3, 1e-5)),
    "geister-small": (1024, 16, 128, 128, (3e-3, 1e-4)),
}


def config(game: str, method: str, updates: int) -> Config:
    """A run of a game."""
    games, plies, minibatch, channels, rate = SIZES[game]
    size = {"games": games, "plies": plies, "minibatch": minibatch, "channels": channels}
    return Config(game=game, method=method, updates=updates, exact_every=updates, learning_rate=rate, **size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=list(SIZES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--updates", type=int, default=200)
    given = parser.parse_args()
    print("| game | method | seeds | plies | exploitability | each | seconds |\n|---|---|---:|---:|---:|---|---:|")
    for game in given.games:
        for method in given.methods:
            run, found = config(game, method, given.updates), []
            began = time.process_time()
            for seed in range(1, given.seeds + 1):
                with tempfile.TemporaryDirectory() as folder:
                    lines: list[dict[str, float]] = []
                    Trainer(replace(run, seed=seed), folder).run(report=lines.append)
                    found.append(lines[-1]["exploitability"])
            spent = (time.process_time() - began) / given.seeds
            summary = oboro.stats.mean(found)
            limits = summary["interval"] if summary else None
            interval = f" ({limits['low']:.4f} to {limits['high']:.4f})" if limits else ""
            mean, each = sum(found) / len(found), " ".join(f"{x:.4f}" for x in found)
            print(f"| {game} | {method} | {given.seeds} | {lines[-1]['plies']} | {mean:.4f}{interval} | {each} | {spent:.0f} |", flush=True)


if __name__ == "__main__":
    main()
