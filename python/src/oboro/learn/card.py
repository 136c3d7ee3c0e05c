"""Model cards: what a model is, how it was made, and what it was measured at; `models/NAME/model.toml`."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .config import Config
from .train import Trainer


@dataclass(frozen=True)
class Card:
    """What stands in a model card."""

    path: Path
    about: str
    #: The files of the weights, from the root of the repository, and the SHA-256 of each.
    weights: dict[str, str]
    #: The configuration of the run that makes them; none for weights that cannot be made again, which `note` explains.
    run: Config | None
    note: str
    #: How they were made: commit, seeds, plies, processor seconds.
    made: dict[str, Any]
    #: What was measured, with seeds.
    evaluation: dict[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> Card:
        """Reads a card, naming what is wrong with it."""
        with open(path, "rb") as file:
            data = tomllib.load(file)
        known = {"about", "weights", "run", "note", "made", "evaluation"}
        if unknown := data.keys() - known:
            raise ValueError(f"{path}: `{min(unknown)}` is no part of a model card; there are {', '.join(sorted(known))}")
        if missing := {"about", "weights", "made", "evaluation"} - data.keys():
            raise ValueError(f"{path}: `{min(missing)}` is missing")
        if ("run" in data) == ("note" in data):
            raise ValueError(f"{path}: either `run` says how the weights are made, or `note` why they cannot be made again")
        run = Config.checked(data["run"], str(path)) if "run" in data else None
        return cls(Path(path), data["about"], data["weights"], run, data.get("note", ""), data["made"], data["evaluation"])

    def inputs(self) -> list[str]:
        """The files that the run reads."""
        return [] if self.run is None else [*self.run.frozen_opponent.split(), *([self.run.begin] if self.run.begin else [])]

    def faults(self, root: Path, made: set[str]) -> list[str]:
        """What is missing or different in the repository at `root`, where other recipes make the files `made`."""
        found = []
        for file, digest in self.weights.items():
            if not (root / file).is_file():
                found.append(f"{self.path}: the weights `{file}` are missing")
            elif hashlib.sha256((root / file).read_bytes()).hexdigest() != digest:
                found.append(f"{self.path}: the weights `{file}` have another SHA-256")
        for file in self.inputs():
            if not (root / file).is_file() and file not in made:
                found.append(f"{self.path}: `{file}`, which the run reads, is missing, and no recipe makes it")
        if self.note and not (root / self.note).is_file():
            found.append(f"{self.path}: the note `{self.note}` is missing")
        return found

    def make(self, folder: str | Path, seeds: Sequence[int] | None = None) -> Iterator[dict[str, Any]]:
        """Trains again, a run a seed, and tells what was measured beside what the card says."""
        if self.run is None:
            raise ValueError(f"{self.path}: these weights cannot be made again; see {self.note}")
        for seed in self.made["seeds"] if seeds is None else seeds:
            trainer = Trainer(replace(self.run, seed=seed), Path(folder) / str(seed))
            trainer.run(report=lambda line: None)
            lines = (trainer.folder / "curve.jsonl").read_text().splitlines()
            last: dict[str, Any] = json.loads(lines[-1])
            told = {"seed": seed, "plies": last["plies"], "seconds": last["seconds"]}
            for name in self.evaluation.keys() & last.keys():
                told[name] = last[name]
                if seed in self.made["seeds"]:
                    told[f"{name} on the card"] = self.evaluation[name][self.made["seeds"].index(seed)]
            yield told
