"""Proximal policy optimisation against oneself, held back by a magnet.

Every game of a batch is played by the learning policy on both seats, or on one seat against an earlier policy. A
critic that sees what is hidden judges each ply; advantages are traced over both seats' plies with the sign turned,
since what one seat wins the other loses. A frozen copy of the policy, renewed now and then, pulls the policy back
(magnetic mirror descent): without it plain policy gradients go round in circles in games like these.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import oboro

from .config import Config
from .player import Reading
from .tensors import load, save

Tree = dict[str, Any]


class Trainer:
    """A run: nets, optimiser, earlier policies, and the games in progress."""

    def __init__(self, config: Config, folder: str | Path) -> None:
        self.config, self.folder = config, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        half = config.games // 2
        self.tables = [
            oboro.vec(config.game, half, rules=config.rules, seed=2 * config.seed + i) for i in (0, 1)
        ]
        if self.tables[0].rewards.shape[1] != 2:
            raise ValueError(f"{config.game}: only games of two players are learned")
        self.reading = Reading.of(config, self.tables[0].numbering)
        self.kind = jnp.dtype(config.precision)
        policy = self.reading.policy.init(config.seed)
        nets = {"policy": policy, "critic": self.reading.critic.init(config.seed + 1)}
        zeros = jax.tree.map(jnp.zeros_like, nets)
        self.state: Tree = {"nets": nets, "first": zeros, "second": zeros, "magnet": policy, "steps": jnp.zeros(())}
        self.update, self.seconds = 0, 0.0
        self.snapshots: list[Tree] = [policy]
        self.fixed: Tree | None = None
        if config.opponent:
            arrays, _ = load(config.opponent)
            self.fixed = {name: jnp.asarray(a, jnp.float32) for name, a in arrays.items()}
        self.scores: list[float] = []
        self._act = jax.jit(functools.partial(act, self.reading, self.config, self.kind))
        self._learn = jax.jit(functools.partial(learn, self.reading, self.config, self.kind))
        self.resume()

    def resume(self) -> None:
        """Goes on where the folder's last checkpoint stands, if it has one."""
        path = self.folder / "state.safetensors"
        if not path.exists():
            return
        arrays, about = load(path)
        self.state = _unflatten(arrays)
        self.update, self.seconds = int(about["update"]), float(about["seconds"])
        kept, _ = load(self.folder / "snapshots.safetensors")
        self.snapshots = [s for _, s in sorted(_unflatten(kept).items())]

    def checkpoint(self) -> None:
        """Keeps everything needed to go on, and the policy alone in half precision."""
        about = {"update": str(self.update), "seconds": str(self.seconds)}
        snapshots = {f"{i:03}": s for i, s in enumerate(self.snapshots)}
        save(self.folder / "snapshots.safetensors", _flatten(snapshots, np.float16))
        save(self.folder / "state.safetensors", _flatten(self.state, np.float32), about)
        export = {
            "config": json.dumps(self.config.data()),
            "update": str(self.update),
            "plies": str(self.update * self.config.games * self.config.plies),
            "seconds": f"{self.seconds:.0f}",
        }
        save(self.folder / "policy.safetensors", _flatten(self.state["nets"]["policy"], np.float16), export)

    def run(self, stop: Callable[[], bool] = lambda: False, report: Callable[[Tree], None] = print) -> None:
        """Trains to the end of the run, or until told to stop; a checkpoint is kept either way."""
        config, key = self.config, jax.random.key(self.config.seed + 7 * self.update)
        pool = np.random.default_rng([config.seed, self.update])
        while self.update < config.updates and not stop():
            began = time.perf_counter()
            key, play, shuffle = jax.random.split(key, 3)
            opponent = self.fixed or self.snapshots[int(pool.integers(len(self.snapshots)))]
            batch = self._play(opponent, play)
            pairs = (config.learning_rate, config.entropy)
            rates = jnp.array([config.between(pair, self.update) for pair in pairs])
            self.state, figures = self._learn(self.state, batch, rates, shuffle)
            self.update += 1
            if self.update % config.magnet_every == 0:
                self.state["magnet"] = self.state["nets"]["policy"]
            if self.update % config.snapshot_every == 0:
                self._keep_snapshot(pool)
            self.seconds += time.perf_counter() - began
            if self.update % 10 == 0 or self.update == config.updates:
                told = {name: round(float(value), 4) for name, value in figures.items()}
                score = float(np.mean(self.scores)) if self.scores else float("nan")
                self.scores.clear()
                line = {
                    "update": self.update,
                    "seconds": round(self.seconds, 1),
                    "plies": self.update * config.games * config.plies,
                    "against-snapshots": round(score, 3),
                    **told,
                }
                with open(self.folder / "curve.jsonl", "a") as file:
                    file.write(json.dumps(line) + "\n")
                report(line)
        self.checkpoint()

    def _keep_snapshot(self, pool: np.random.Generator) -> None:
        self.snapshots.append(self.state["nets"]["policy"])
        if len(self.snapshots) > self.config.snapshots:
            # The newest always stays; of the others any may go, so that the old ones thin out slowly.
            self.snapshots.pop(int(pool.integers(len(self.snapshots) - 1)))

    def _play(self, opponent: Tree, key: jax.Array) -> list[Tree]:
        """Plays some plies of all games. While one half of them is stepped, the nets think about the other."""
        rows: list[list[Tree]] = [[], []]
        nets = self.state["nets"]
        thought: list[Any] = [None, None]

        def think(i: int, number: jax.Array) -> None:
            table = self.tables[i]
            seen = {
                "planes": jnp.array(table.observations),
                "features": jnp.array(table.features),
                "mask": jnp.array(table.masks),
                "truth": jnp.array(table.truth()),
                "seat": jnp.array(table.seats),
            }
            thought[i] = (seen, self._act(nets, opponent, seen, number))

        keys = jax.random.split(key, 2 * self.config.plies).reshape(-1, 2)
        think(0, keys[0, 0])
        for ply in range(self.config.plies):
            for i in (0, 1):
                if i == 0:
                    think(1, keys[ply, 1])
                seen, chosen = thought[i]
                table = self.tables[i]
                table.step(np.asarray(chosen["action"]))
                rewards, done = table.rewards, table.done
                rows[i].append(
                    {
                        **seen,
                        **chosen,
                        "reward": jnp.array(rewards),
                        "done": jnp.array(done),
                    }
                )
                self._count(rewards, done)
                if i == 0 and ply + 1 < self.config.plies:
                    think(0, keys[ply + 1, 0])
        batches = []
        for i in (0, 1):
            table = self.tables[i]
            last = {
                "planes": jnp.array(table.observations),
                "features": jnp.array(table.features),
                "truth": jnp.array(table.truth()),
                "seat": jnp.array(table.seats),
            }
            batches.append({"rows": rows[i], "last": last})
        return batches

    def _count(self, rewards: np.ndarray[Any, Any], done: np.ndarray[Any, Any]) -> None:
        """How the learner fares against the earlier policy, where it met one."""
        opponents = opponent_seats(self.config, len(done))
        met = (done == 1) & (opponents >= 0)
        if met.any():
            self.scores.append(float(rewards[met, 1 - opponents[met]].mean()))


def opponent_seats(config: Config, games: int) -> np.ndarray[Any, Any]:
    """The seat that an earlier policy holds in each game; -1 where the learner holds both."""
    met = int(games * (1.0 if config.opponent else config.snapshot_share)) // 2 * 2
    seats = np.full(games, -1, np.int32)
    seats[games - met :] = np.arange(met) % 2
    return seats


def act(reading: Reading, config: Config, kind: Any, nets: Tree, opponent: Tree, seen: Tree, key: jax.Array) -> Tree:
    """Draws an action for each game."""
    games = seen["seat"].shape[0]
    planes, features = reading.inputs(seen["planes"], seen["features"])
    log, _, _ = reading.answers(nets["policy"], planes, features, seen["mask"], kind)
    value = reading.value(nets["critic"], planes, features, seen["truth"], kind)
    others = opponent_seats(config, games)
    first = int((others < 0).sum())
    played = log
    if first < games:
        theirs, _, _ = reading.answers(opponent, planes[first:], features[first:], seen["mask"][first:], kind)
        if config.opponent:
            theirs = theirs / config.opponent_temperature
        turn = (seen["seat"][first:] == others[first:])[:, None]
        played = jnp.concatenate([log[:first], jnp.where(turn, theirs, log[first:])])
    own = seen["seat"] != others
    if reading.setup >= 0:
        pick, key = jax.random.split(key)
        at_random = jax.random.uniform(pick, (games,)) < config.random_setup
        at_random &= seen["features"][:, reading.setup] == 0
        played = jnp.where(at_random[:, None], jnp.where(seen["mask"] > 0, 0.0, -1e9), played)
        own &= ~at_random
    action = jax.random.categorical(key, played)
    chosen = jnp.take_along_axis(log, action[:, None], 1)[:, 0]
    return {"action": action, "log": chosen, "value": value, "own": own}


def learn(
    reading: Reading, config: Config, kind: Any, state: Tree, batches: list[Tree], rates: jax.Array, key: jax.Array
) -> tuple[Tree, Tree]:
    """One pass over what was played."""

    def both(name: str) -> jax.Array:
        return jnp.concatenate([jnp.stack([row[name] for row in b["rows"]]) for b in batches], axis=1)

    last = {name: jnp.concatenate([b["last"][name] for b in batches]) for name in batches[0]["last"]}
    planes, features = reading.inputs(last["planes"], last["features"])
    value = reading.value(state["nets"]["critic"], planes, features, last["truth"], kind)
    data = {n: both(n) for n in ("planes", "features", "mask", "truth", "seat", "action", "log", "value", "own")}
    reward, done = both("reward"), both("done") > 0
    data["advantage"] = trace(config.trace, data["value"], value, data["seat"], last["seat"], reward, done)
    data["target"] = data["advantage"] + data["value"]
    own = data["own"]
    mean = (data["advantage"] * own).sum() / own.sum()
    deviation = jnp.sqrt(((data["advantage"] - mean) ** 2 * own).sum() / own.sum() + 1e-8)
    data["advantage"] = (data["advantage"] - mean) / deviation
    games = data["seat"].shape[1]
    size = min(config.minibatch, games)
    order = jax.random.permutation(key, games).reshape(-1, size)

    def step(carry: Tree, chosen: jax.Array) -> tuple[Tree, Tree]:
        part = jax.tree.map(lambda x: x[:, chosen].reshape((-1,) + x.shape[2:]), data)
        gradient, figures = jax.grad(functools.partial(loss, reading, config, kind), has_aux=True)(
            carry["nets"], carry["magnet"], part, rates[1]
        )
        return adam(carry, gradient, rates), figures

    state = dict(state)
    state, figures = jax.lax.scan(step, state, order)
    told = jax.tree.map(jnp.mean, figures)
    told["plies a game"] = reward.shape[0] * reward.shape[1] / jnp.maximum(1, done.sum())
    return state, told


def trace(
    decay: float,
    values: jax.Array,
    last: jax.Array,
    seats: jax.Array,
    last_seat: jax.Array,
    rewards: jax.Array,
    done: jax.Array,
) -> jax.Array:
    """Generalised advantage estimates over the plies of both seats of a game of two players."""
    paid = jnp.take_along_axis(rewards, seats[:, :, None].astype(jnp.int32), 2)[:, :, 0] * 2 - 1

    def back(carry: tuple[jax.Array, ...], row: tuple[jax.Array, ...]) -> tuple[tuple[jax.Array, ...], jax.Array]:
        next_value, next_seat, next_advantage = carry
        value, seat, reward, over = row
        sign = jnp.where(seat == next_seat, 1.0, -1.0)
        ahead = jnp.where(over, reward, sign * next_value)
        advantage = ahead - value + jnp.where(over, 0.0, decay * sign * next_advantage)
        return (value, seat, advantage), advantage

    start = (last, last_seat, jnp.zeros_like(last))
    _, advantages = jax.lax.scan(back, start, (values, seats, paid, done), reverse=True)
    return advantages


def loss(
    reading: Reading, config: Config, kind: Any, nets: Tree, magnet: Tree, part: Tree, entropy_bonus: jax.Array
) -> tuple[jax.Array, Tree]:
    """What is made small: clipped policy loss, errors of value and belief, less entropy, more pull."""
    planes, features = reading.inputs(part["planes"], part["features"])
    log, told, guess = reading.answers(nets["policy"], planes, features, part["mask"], kind)
    pull, _, _ = reading.answers(magnet, planes, features, part["mask"], kind)
    value = reading.value(nets["critic"], planes, features, part["truth"], kind)
    own = part["own"].astype(jnp.float32)

    def mean(x: jax.Array) -> jax.Array:
        return (x * own).sum() / own.sum()

    chosen = jnp.take_along_axis(log, part["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(chosen - part["log"])
    clipped = jnp.clip(ratio, 1 - config.clip, 1 + config.clip)
    gain = mean(jnp.minimum(ratio * part["advantage"], clipped * part["advantage"]))
    share = jnp.where(part["mask"] > 0, jnp.exp(log), 0.0)
    entropy = mean(-(share * jnp.where(share > 0, log, 0.0)).sum(1))
    distance = mean((share * jnp.where(share > 0, log - jax.lax.stop_gradient(pull), 0.0)).sum(1))
    wrong = ((value - part["target"]) ** 2).mean()
    wrong_told = ((told - part["target"]) ** 2).mean()
    total = -gain - entropy_bonus * entropy + config.magnet * distance + 0.5 * wrong + 0.25 * wrong_told
    figures = {"entropy": entropy, "pull": distance, "critic error": wrong, "value error": wrong_told}
    if reading.belief >= 0:
        where = part["planes"][:, reading.belief].reshape(guess.shape).astype(jnp.float32)
        truth = part["truth"][:, 0].reshape(guess.shape).astype(jnp.float32)
        doubt = jnp.logaddexp(0.0, guess) - truth * guess
        belief = (doubt * where).sum() / where.sum()
        brier = ((jax.nn.sigmoid(guess) - truth) ** 2 * where).sum() / where.sum()
        total = total + config.belief * belief
        figures |= {"belief loss": belief, "brier": brier}
    return total, figures


def adam(state: Tree, gradient: Tree, rates: jax.Array) -> Tree:
    """A step of Adam, after the gradient is cut to length 1 where it is longer."""
    length = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (length + 1e-8)), gradient)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["first"], gradient)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state["second"], gradient)
    age = state["steps"] + 1
    nets = jax.tree.map(
        lambda p, m, v: p - rates[0] * (m / (1 - 0.9**age)) / (jnp.sqrt(v / (1 - 0.999**age)) + 1e-6),
        state["nets"],
        first,
        second,
    )
    return {**state, "nets": nets, "first": first, "second": second, "steps": age}


def _flatten(tree: Tree, kind: Any, prefix: str = "") -> dict[str, np.ndarray[Any, Any]]:
    flat = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            flat |= _flatten(value, kind, f"{prefix}{name}/")
        else:
            flat[prefix + name] = np.asarray(value).astype(kind)
    return flat


def _unflatten(flat: dict[str, np.ndarray[Any, Any]]) -> Tree:
    tree: Tree = {}
    for path, value in flat.items():
        *parents, name = path.split("/")
        place = tree
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = jnp.asarray(value, jnp.float32)
    return tree
