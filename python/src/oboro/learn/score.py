"""How strong a policy is, and how far it can be beaten."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import oboro

from .config import Config
from .tensors import load
from .train import Trainer


def score(path: str, agents: str, games: int, temperature: float, seed: int) -> dict[str, Any]:
    """Plays against agents, several with blanks between them: specs, or the files of other policies. One alone holds all other seats."""
    _, about = load(path)
    config = Config.of(json.loads(about["config"]))
    game = oboro.game(config.game, **config.rules)
    names = agents.split()
    if len(names) == 1:
        names *= game.seats - 1
    if len(names) != game.seats - 1:
        raise ValueError(f"{config.game}: {len(names)} agents for {game.seats - 1} other seats")

    def spec(name: str) -> str:
        return f"net:({name}),temperature={temperature}" if name.endswith(".safetensors") else name

    result = oboro.match(game, [spec(path), *map(spec, names)], games=games, seed=seed)
    payoff = result.summary["entrants"][0]["payoff"]
    return {
        "policy": path,
        "agents": agents,
        "temperature": temperature,
        "seed": seed,
        "games": games,
        "payoff": payoff["mean"],
        "interval": payoff["interval"],
    }


def exploit(path: str, samples: float, games: int, seed: int, folder: str | None = None, **limits: Any) -> list[dict[str, Any]]:
    """Trains an opponent of a policy from nothing and one from the policy's own weights, each with a share of the plies that the policy has played,
    and plays them against it. Their payoff is a lower bound of what a best response is paid."""
    if not 0 < samples <= 1:
        raise ValueError(f"the share of samples must be above 0 and at most 1, not {samples}")
    _, about = load(path)
    config = Config.of(json.loads(about["config"]))
    updates = max(1, round(samples * int(about["plies"]) / (config.games * config.plies)))
    told = []
    with tempfile.TemporaryDirectory() as temporary:
        for begin in ("", path):
            run = replace(
                config,
                seed=seed,
                frozen_opponent=path,
                begin=begin,
                critic_first=updates // 20 if begin else 0,
                updates=updates,
                # It need not be hard to beat itself.
                entropy=(config.entropy[0], 0.0),
                kl_to_magnet=(0.0, 0.0),
                magnet_updates=max(1, min(config.magnet_updates, updates // 20)),
                # The latest weights are the best against an opponent that stays.
                average_power=20.0,
                exact_every=0,
            )
            place = Path(folder or temporary) / ("from-weights" if begin else "from-nothing")
            trainer = Trainer(run, place)
            trainer.run(report=lambda line: None, **limits)
            result = score(str(place / "policy.safetensors"), path, games, 1.0, seed)
            told.append({"begins": "the policy" if begin else "nothing", "plies": updates * run.games * run.plies, **result})
    return told
