"""A run: self-play at all seats, learning, checkpoints and the curve."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import oboro

from .config import PARTS, Config
from .exact import Exact
from .player import Census, Reading
from .tensors import load, save
from .update import Tree, act, learn, optimiser

#: Updates between two lines of the curve.
REPORT = 10


class Trainer:
    """A run: nets, optimiser, and the games in progress."""

    def __init__(self, config: Config, folder: str | Path) -> None:
        self.config, self.folder = config, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.census = Census.take(config)
        self.reading = Reading.of(config, self.census)
        deal = functools.partial(oboro.vec, config.game, config.games // PARTS, rules=config.rules)
        self.tables = [deal(seed=PARTS * config.seed + part) for part in range(PARTS)]
        self.threads = ThreadPoolExecutor(PARTS)
        shape = (config.games // PARTS, self.census.seats)
        #: By game and seat: how much likelier the policy is to have come here than play with its random actions, and whether the seat has acted.
        self.memories: list[Tree] = [{"reach": jnp.ones(shape), "acted": jnp.zeros(shape, bool)}] * PARTS
        self.exact = Exact(config, self.reading) if config.exact_every else None
        self.kind = jnp.dtype(config.precision)
        policy = self.reading.policy.init(config.seed)
        self.begun = 0
        if config.begin:
            policy, self.begun = self._begun(config.begin)
        nets = {"policy": policy, "critic": self.reading.critic.init(config.seed + 1)}
        self.state: Tree = {"nets": nets, "magnet": policy, "average": policy, "optimiser": optimiser.init(nets)}
        self.update, self.seconds = 0, 0.0
        self.frozen = [_policy(path) for path in config.frozen_opponent.split()]
        self.scores: list[list[float]] = [[] for _ in range(PARTS)]
        self._act = jax.jit(functools.partial(act, self.reading, self.config, self.kind))
        self._learn = jax.jit(functools.partial(learn, self.reading, self.config, self.kind))
        self.resume()

    def _begun(self, path: str) -> tuple[Tree, int]:
        """The policy that another run ended with, and its plies."""
        policy, (_, about) = _policy(path), load(path)
        expected = {name: array.shape for name, array in self.reading.policy.init(1).items()}
        if expected != {name: array.shape for name, array in policy.items()}:
            raise ValueError(f"{path}: the net has another shape than the run describes")
        return policy, int(about["plies"])

    def resume(self) -> None:
        """Goes on where the folder's last checkpoint stands, if it has one."""
        path = self.folder / "state.safetensors"
        if not path.exists():
            return
        arrays, about = load(path)
        flat, shape = jax.tree_util.tree_flatten_with_path(self.state)
        names = [jax.tree_util.keystr(where) for where, _ in flat]
        if set(names) != set(arrays) or any(arrays[n].shape != np.shape(x) for n, (_, x) in zip(names, flat, strict=True)):
            raise ValueError(f"{path}: the checkpoint is of a run with other nets")
        self.state = jax.tree_util.tree_unflatten(shape, [jnp.asarray(arrays[name]) for name in names])
        self.update, self.seconds = int(about["update"]), float(about["seconds"])
        self._cut_curve()

    def _cut_curve(self) -> None:
        """Drops what a killed run wrote after its last checkpoint, and a line it did not finish."""
        path = self.folder / "curve.jsonl"
        if not path.exists():
            return
        lines = [line for line in path.read_text().splitlines(keepends=True) if line.endswith("}\n")]
        path.write_text("".join(line for line in lines if json.loads(line)["update"] <= self.update))

    def checkpoint(self) -> None:
        """Keeps everything needed to go on, and the policy alone, averaged, in half precision."""
        flat, _ = jax.tree_util.tree_flatten_with_path(self.state)
        arrays = {jax.tree_util.keystr(where): np.asarray(value) for where, value in flat}
        save(self.folder / "state.safetensors", arrays, {"update": str(self.update), "seconds": str(self.seconds)})
        about = {
            "config": json.dumps(self.config.data()),
            "census": self.census.text(),
            "update": str(self.update),
            "plies": str(self.plies),
            "seconds": f"{self.seconds:.0f}",
        }
        policy = {name: np.asarray(value, np.float16) for name, value in self.state["average"].items()}
        save(self.folder / "policy.safetensors", policy, about)

    @property
    def plies(self) -> int:
        """Plies played so far, those of the policy it began from included."""
        return self.begun + self.update * self.config.games * self.config.plies

    def run(
        self,
        stop: Callable[[], bool] = lambda: False,
        report: Callable[[Tree], None] = print,
        checkpoint_minutes: float = 5.0,
    ) -> None:
        """Trains to the end of the run, or until told to stop. A checkpoint is kept either way, and one every few minutes."""
        config = self.config
        pace, kept = Pace(self.update, self.seconds), self.seconds
        while self.update < config.updates and not stop():
            began = time.perf_counter()
            play, shuffle = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), self.update))
            batches = self._play(play)
            self.state, figures = self._learn(self.state, batches, self._rates(), shuffle)
            self.update += 1
            reported = self.update % REPORT == 0 or self.update == config.updates
            if reported:
                told = {name: round(float(value), 4) for name, value in figures.items()}
            self.seconds += time.perf_counter() - began
            if self.seconds - kept > 60 * checkpoint_minutes:
                self.checkpoint()
                kept = self.seconds
            if reported:
                line = {
                    "update": self.update,
                    "seconds": round(self.seconds, 1),
                    "plies": self.plies,
                    **pace.told(config, self.update, self.seconds),
                    **self._measured(),
                    **told,
                }
                with open(self.folder / "curve.jsonl", "a") as file:
                    file.write(json.dumps(line) + "\n")
                report(line)
        self.checkpoint()

    def _rates(self) -> Tree:
        """What changes over the run."""
        config, update = self.config, self.update
        return {
            "learning": config.between(config.learning_rate, update),
            "entropy": config.between(config.entropy, update),
            "kl": config.between(config.kl_to_magnet, update),
            "magnet": 1 / min(update + 1, config.magnet_updates),
            "average": (config.average_power + 1) / (config.average_power + 1 + update),
            "moving": float(update >= config.critic_first),
        }

    def _measured(self) -> Tree:
        """What the learner was paid against those that do not learn, and how far it can be exploited."""
        scores = [score for part in self.scores for score in part]
        found: Tree = {"against frozen": round(float(np.mean(scores)), 4)} if scores else {}
        for part in self.scores:
            part.clear()
        every = self.config.exact_every
        if self.exact and (self.update % every < REPORT or self.update == self.config.updates):
            found["exploitability"] = round(self.exact.exploitability(self.state["average"]), 5)
        return found

    def _seen(self, part: int) -> Tree:
        """What the seats to move are shown, and, for critics, what is hidden from them."""
        vec = self.tables[part]
        hidden = vec.privileged_state()
        arrays = {
            "planes": vec.observations,
            "features": vec.features,
            "mask": vec.masks,
            "seat": vec.seats,
            "privileged": hidden,
            "secrets": vec.privileged_features,
            "new": vec.done,
        }
        # A copy each: the engine writes the next position into the same arrays.
        return {name: jnp.array(array) for name, array in arrays.items()}

    def _play(self, key: jax.Array) -> list[Tree]:
        """Plays some plies of all games."""
        return list(self.threads.map(functools.partial(self._play_part, key), range(PARTS)))

    def _play_part(self, key: jax.Array, part: int) -> Tree:
        """Plays some plies of a part of the games."""
        vec, rows = self.tables[part], []
        others = self.frozen or [self.state["magnet"]]
        for ply in range(self.config.plies):
            policy, memory = self.state["nets"]["policy"], self.memories[part]
            chosen, self.memories[part] = self._act(policy, others, self._seen(part), memory, key, PARTS * ply + part)
            vec.step(np.asarray(chosen["action"]))
            rows.append({**chosen, "reward": jnp.array(vec.rewards), "done": jnp.array(vec.done)})
            self._count(part)
        return {"rows": rows, "last": self._seen(part)}

    def _count(self, part: int) -> None:
        """What the learner is paid by those it meets."""
        vec, met = self.tables[part], self.config.met_games // PARTS
        if met:
            over = vec.done[-met:] > 0
            held = np.arange(met) % vec.players
            self.scores[part].extend(vec.rewards[-met:][over, held[over]].tolist())


class Pace:
    """How fast a run goes, measured from one report to the next; the first one includes compiling."""

    def __init__(self, update: int, seconds: float) -> None:
        self.last = (update, seconds)

    def told(self, config: Config, update: int, seconds: float) -> Tree:
        """Plies a second since the last report, and the minutes that are left at this pace."""
        updates, time_taken = update - self.last[0], max(seconds - self.last[1], 1e-9)
        self.last = (update, seconds)
        speed = updates * config.games * config.plies / time_taken
        left = (config.updates - update) * time_taken / max(updates, 1) / 60
        return {"plies a second": round(speed), "minutes left": round(left, 1)}


def _policy(path: str) -> Tree:
    """A net that is played and does not learn."""
    arrays, _ = load(path)
    return {name: jnp.asarray(array, jnp.float32) for name, array in arrays.items()}
