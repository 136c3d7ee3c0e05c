"""Proximal policy optimisation against oneself, held back by a magnet.

Every game of a batch is played by the learning policy on both seats, or on one seat against an earlier policy, a rival
net or agents of the laboratory. A critic that sees what is hidden judges each ply; advantages are estimated over both seats' plies with the sign turned,
since what one seat wins the other loses. A frozen copy of the policy, renewed now and then, keeps the policy near
(magnetic mirror descent): without it plain policy gradients go round in circles in games like these.
"""

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

from .config import Config
from .player import Reading
from .tensors import load, save

Tree = dict[str, Any]


class Trainer:
    """A run: nets, optimiser, earlier policies, and the games in progress."""

    def __init__(self, config: Config, folder: str | Path) -> None:
        self.config, self.folder = config, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tables = [Tables(config, i) for i in (0, 1)]
        self.reading = Reading.of(config, self.tables[0].parts[0].layout)
        self.kind = jnp.dtype(config.precision)
        policy = self.reading.policy.init(config.seed)
        nets = {"policy": policy, "critic": self.reading.critic.init(config.seed + 1)}
        zeros = jax.tree.map(jnp.zeros_like, nets)
        self.state: Tree = {"nets": nets, "first": zeros, "second": zeros, "magnet": policy, "steps": jnp.zeros(())}
        self.update, self.seconds = 0, 0.0
        self.snapshots: list[Tree] = [policy]
        self.plies = 0
        if config.begin:
            self._begin(Path(config.begin))
        self.fixed = [_policy(path) for path in config.frozen_opponent.split()]
        self.rivals = [_policy(path) for path in config.rivals]
        self.scores: dict[str, list[float]] = {}
        self._act = jax.jit(functools.partial(act, self.reading, self.config, self.kind))
        self._learn = jax.jit(functools.partial(learn, self.reading, self.config, self.kind))
        self.resume()

    def _begin(self, folder: Path) -> None:
        """Takes the nets and the earlier policies of another run, or the policy alone."""
        if folder.suffix == ".safetensors":
            policy, (_, about) = _policy(str(folder)), load(folder)
            self.state["nets"] |= {"policy": policy}
            self.state |= {"magnet": policy}
            self.snapshots, self.plies = [policy], int(about["plies"])
            return
        arrays, _ = load(folder / "state.safetensors")
        nets = _unflatten(arrays)["nets"]
        self.state |= {"nets": nets, "magnet": nets["policy"]}
        kept, _ = load(folder / "snapshots.safetensors")
        self.snapshots = [s for _, s in sorted(_unflatten(kept).items())]
        _, about = load(folder / "policy.safetensors")
        self.plies = int(about["plies"])

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
        self._cut_curve()

    def _cut_curve(self) -> None:
        """Drops what a killed run wrote after its last checkpoint, and a line it did not finish."""
        path = self.folder / "curve.jsonl"
        if not path.exists():
            return
        lines = [line for line in path.read_text().splitlines(keepends=True) if line.endswith("}\n")]
        path.write_text("".join(line for line in lines if json.loads(line)["update"] <= self.update))

    def checkpoint(self) -> None:
        """Keeps everything needed to go on, and the policy alone in half precision."""
        about = {"update": str(self.update), "seconds": str(self.seconds)}
        snapshots = {f"{i:03}": s for i, s in enumerate(self.snapshots)}
        save(self.folder / "snapshots.safetensors", _flatten(snapshots, np.float16))
        save(self.folder / "state.safetensors", _flatten(self.state, np.float32), about)
        self._export("policy.safetensors")

    def _export(self, name: str) -> None:
        """Writes the policy alone, in half precision, with how it was made."""
        about = {
            "config": json.dumps(self.config.data()),
            "update": str(self.update),
            "plies": str(self._plies()),
            "seconds": f"{self.seconds:.0f}",
        }
        save(self.folder / name, _flatten(self.state["nets"]["policy"], np.float16), about)

    def _plies(self) -> int:
        """Plies played so far, those of the run it began from included."""
        return self.plies + self.update * self.config.games * self.config.plies

    def run(
        self,
        stop: Callable[[], bool] = lambda: False,
        report: Callable[[Tree], None] = print,
        checkpoint_minutes: float = 5.0,
    ) -> None:
        """Trains to the end of the run, or until told to stop. A checkpoint is kept either way, and one every few minutes."""
        config, key = self.config, jax.random.key(self.config.seed + 7 * self.update)
        pool = np.random.default_rng([config.seed, self.update])
        pace, kept = Pace(self.update, self.seconds), self.seconds
        while self.update < config.updates and not stop():
            began = time.perf_counter()
            key, play, shuffle = jax.random.split(key, 3)
            batch = self._play(*self._opponents(pool), play)
            pairs = (config.learning_rate, config.entropy)
            moving = float(self.update >= config.critic_first)
            rates = jnp.array([*(config.between(pair, self.update) for pair in pairs), moving])
            self.state, figures = self._learn(self.state, batch, rates, shuffle)
            self.update += 1
            if self.update % config.magnet_every == 0:
                self.state["magnet"] = self.state["nets"]["policy"]
            if self.update % config.snapshot_every == 0:
                self._keep_snapshot(pool)
            if config.keep_every and self.update % config.keep_every == 0:
                self._export(f"policy-{self.update:04}.safetensors")
            self.seconds += time.perf_counter() - began
            if self.seconds - kept > 60 * checkpoint_minutes:
                self.checkpoint()
                kept = self.seconds
            if self.update % 10 == 0 or self.update == config.updates:
                told = {name: round(float(value), 4) for name, value in figures.items()}
                met = {f"against {name}": round(float(np.mean(s)), 3) for name, s in sorted(self.scores.items())}
                self.scores.clear()
                line = {
                    "update": self.update,
                    "seconds": round(self.seconds, 1),
                    "plies": self._plies(),
                    **pace.told(config, self.update, self.seconds),
                    **met,
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

    def _opponents(self, pool: np.random.Generator) -> tuple[list[Tree], jax.Array]:
        """Who is met until the next update, and how sharply each of them plays."""
        config = self.config
        if self.fixed:
            return self.fixed, jnp.full(len(self.fixed), config.frozen_temperature)
        nets = []
        for _ in range(config.snapshots_at_once):
            known = self.rivals if self.rivals and pool.random() < config.rival_share else self.snapshots
            nets.append(known[int(pool.integers(len(known)))])
        return nets, jnp.array(pool.choice(config.snapshot_temperatures, len(nets)), jnp.float32)

    def _play(self, opponents: list[Tree], temperatures: jax.Array, key: jax.Array) -> list[Tree]:
        """Plays some plies of all games. While one half of them is stepped, the nets think about the other."""
        rows: list[list[Tree]] = [[], []]
        nets = self.state["nets"]
        thought: list[Any] = [None, None]

        def think(i: int, number: jax.Array) -> None:
            thought[i] = self._act(nets, opponents, temperatures, self.tables[i].seen(), number)

        keys = jax.random.split(key, 2 * self.config.plies).reshape(-1, 2)
        think(0, keys[0, 0])
        for ply in range(self.config.plies):
            for i in (0, 1):
                if i == 0:
                    think(1, keys[ply, 1])
                chosen = thought[i]
                rewards, done = self.tables[i].step(np.asarray(chosen["action"]))
                rows[i].append({**chosen, "reward": jnp.array(rewards), "done": jnp.array(done)})
                self._count(i, rewards, done)
                if i == 0 and ply + 1 < self.config.plies:
                    think(0, keys[ply + 1, 0])
        return [{"rows": rows[i], "last": joined(self.tables[i].seen())} for i in (0, 1)]

    def _count(self, half: int, rewards: np.ndarray[Any, Any], done: np.ndarray[Any, Any]) -> None:
        """How the learner fares against those it met."""
        config = self.config
        opponents = opponent_seats(config)
        own = len(opponents)
        met = (done[:own] == 1) & (opponents >= 0)
        if met.any():
            self.scores.setdefault("snapshots", []).append(float(rewards[:own][met, 1 - opponents[met]].mean()))
        at = own
        for name, seat, games in self.tables[half].opponents:
            there = slice(at, at + games)
            at += games
            paid = rewards[there][done[there] == 1, seat]
            if len(paid):
                self.scores.setdefault(name, []).extend(paid.tolist())


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


class Tables:
    """One half of the games: the learner's own, and those with agents of the laboratory, where it holds one seat: the first half of the seats in the
    first half of the games, and the others in the second."""

    def __init__(self, config: Config, half: int) -> None:
        deal = functools.partial(oboro.vec, config.game, rules=config.rules)
        seed = 2 * config.seed + half
        players = oboro.game(config.game, **config.rules).seats
        self.parts = []
        #: The games with agents of the laboratory: who, where the learner sits, and how many.
        self.opponents: list[tuple[str, int, int]] = []
        if config.own_games:
            if players != 2:
                raise ValueError(
                    f"{config.game}: only games of two players are learned by playing oneself; let `opponents` have all `games`"
                )
            self.parts.append(deal(config.own_games, seed=seed))
        if config.opponent_games % players:
            raise ValueError(f"{config.game}: `opponent_games` must be a multiple of {players}, the number of seats")
        seats = range(players)[half * players // 2 : (half + 1) * players // 2]
        for number, name in enumerate(config.opponents):
            others: list[str | None] = list(name.split())
            if len(others) != players - 1:
                raise ValueError(f"{config.game}: `{name}` names {len(others)} opponents, and {players - 1} seats are free")
            for place, seat in enumerate(seats):
                # All of them are stepped at the same time.
                part = deal(
                    config.opponent_games // players,
                    agents=[*others[:seat], None, *others[seat:]],
                    seed=1_000_000 * place + 1000 * (number + 1) + seed,
                    threads=config.opponent_threads,
                )
                self.parts.append(part)
                self.opponents.append((name, seat, len(part)))
        self.own = self.parts[: len(self.parts) - len(self.opponents)]
        self.hands = ThreadPoolExecutor(len(self.parts))

    def seen(self) -> dict[str, list[jax.Array]]:
        """What the seats to move are shown, and, for critics, what is hidden from them: the own games', and those with agents of the laboratory."""
        names = {"planes": "observations", "features": "features", "mask": "masks", "seat": "seats"}
        arrays = {name: [getattr(part, of) for part in self.parts] for name, of in names.items()}
        arrays["privileged"] = [part.privileged_state() for part in self.parts]
        first = len(self.own)
        # A copy each: the engine writes the next position into the same arrays.
        return {
            name: [jnp.array(own) for own in parts[:first]]
            + ([jnp.array(np.concatenate(parts[first:]))] if parts[first:] else [])
            for name, parts in arrays.items()
        }

    def step(self, actions: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Plays an action in every game: what was paid, and which games ended."""
        ends = np.cumsum([len(part) for part in self.parts])
        list(self.hands.map(lambda part, chosen: part.step(chosen), self.parts, np.split(actions, ends[:-1])))
        return np.concatenate([part.rewards for part in self.parts]), np.concatenate([part.done for part in self.parts])


def joined(seen: dict[str, list[jax.Array]]) -> Tree:
    """All games as one."""
    return {name: jnp.concatenate(arrays) for name, arrays in seen.items()}


def opponent_seats(config: Config) -> np.ndarray[Any, Any]:
    """The seat that an earlier policy holds in each game of a half without agents of the laboratory; -1 where the learner holds both."""
    games = config.own_games
    met = config.met_games
    seats = np.full(games, -1, np.int32)
    seats[games - met :] = np.arange(met) % 2
    return seats


def act(
    reading: Reading,
    config: Config,
    kind: Any,
    nets: Tree,
    opponents: list[Tree],
    temperatures: jax.Array,
    parts: dict[str, list[jax.Array]],
    key: jax.Array,
) -> Tree:
    """Draws an action for each game; what was seen comes along."""
    seen = joined(parts)
    games = seen["seat"].shape[0]
    planes, features = reading.inputs(seen["planes"], seen["features"])
    log, _, _ = reading.answers(nets["policy"], planes, features, seen["mask"], kind)
    value = reading.value(nets["critic"], planes, features, seen["privileged"], kind)
    seats = opponent_seats(config)
    own_games = len(seats)
    first = int((seats < 0).sum())
    others = np.concatenate([seats, np.full(games - own_games, -1, np.int32)])
    setting_up = (reading.setup >= 0) & (seen["features"][:, reading.setup] == 0)
    bounds = [first + (own_games - first) * i // len(opponents) for i in range(len(opponents) + 1)]
    played = [log[:first]]
    for number, opponent in enumerate(opponents if own_games > first else []):
        part = slice(bounds[number], bounds[number + 1])
        theirs, _, _ = reading.answers(opponent, planes[part], features[part], seen["mask"][part], kind)
        shown = {name: seen[name][part] for name in ("features", "mask")}
        min_share, setups = (config.frozen_min_share, config.frozen_setups) if config.frozen_opponent else (0.0, ())
        theirs = reading.sharpened(theirs, shown, temperatures[number], min_share, setups)
        turn = (seen["seat"][part] == others[part])[:, None]
        played.append(jnp.where(turn, theirs, log[part]))
    played = jnp.concatenate([*played, log[own_games:]])
    own = seen["seat"] != others
    if reading.setup >= 0:
        pick, key = jax.random.split(key)
        at_random = (jax.random.uniform(pick, (games,)) < config.random_setup) & setting_up
        drawn = seen["mask"] > 0
        if config.setups:
            drawn &= np.isin(np.arange(reading.actions), config.setups)
        played = jnp.where(at_random[:, None], jnp.where(drawn, 0.0, -1e9), played)
        own &= ~at_random
    action = jax.random.categorical(key, played)
    chosen = jnp.take_along_axis(log, action[:, None], 1)[:, 0]
    return {**seen, "action": action, "log": chosen, "value": value, "own": own}


def learn(
    reading: Reading, config: Config, kind: Any, state: Tree, batches: list[Tree], rates: jax.Array, key: jax.Array
) -> tuple[Tree, Tree]:
    """One pass over what was played."""

    def both(name: str) -> jax.Array:
        return jnp.concatenate([jnp.stack([row[name] for row in b["rows"]]) for b in batches], axis=1)

    last = {name: jnp.concatenate([b["last"][name] for b in batches]) for name in batches[0]["last"]}
    planes, features = reading.inputs(last["planes"], last["features"])
    value = reading.value(state["nets"]["critic"], planes, features, last["privileged"], kind)
    data = {n: both(n) for n in ("planes", "features", "mask", "privileged", "seat", "action", "log", "value", "own")}
    reward, done = both("reward") / config.max_payoff, both("done") > 0
    data["advantage"] = advantages(config.gae_lambda, data["value"], value, data["seat"], last["seat"], reward, done)
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
        # While only the critic learns, the policy's gradient is nothing.
        gradient["policy"] = jax.tree.map(lambda g: g * rates[2], gradient["policy"])
        return adam(carry, gradient, rates), figures

    state = dict(state)
    state, figures = jax.lax.scan(step, state, order)
    told = jax.tree.map(jnp.mean, figures)
    told["plies a game"] = reward.shape[0] * reward.shape[1] / jnp.maximum(1, done.sum())
    return state, told


def advantages(
    gae_lambda: float,
    values: jax.Array,
    last: jax.Array,
    seats: jax.Array,
    last_seat: jax.Array,
    rewards: jax.Array,
    done: jax.Array,
) -> jax.Array:
    """Generalised advantage estimates over the plies of both seats of a game of two players, or of one seat of any; paid are 0 to 1."""
    paid = jnp.take_along_axis(rewards, seats[:, :, None].astype(jnp.int32), 2)[:, :, 0] * 2 - 1

    def back(carry: tuple[jax.Array, ...], row: tuple[jax.Array, ...]) -> tuple[tuple[jax.Array, ...], jax.Array]:
        next_value, next_seat, next_advantage = carry
        value, seat, reward, over = row
        sign = jnp.where(seat == next_seat, 1.0, -1.0)
        ahead = jnp.where(over, reward, sign * next_value)
        advantage = ahead - value + jnp.where(over, 0.0, gae_lambda * sign * next_advantage)
        return (value, seat, advantage), advantage

    start = (last, last_seat, jnp.zeros_like(last))
    _, estimates = jax.lax.scan(back, start, (values, seats, paid, done), reverse=True)
    return estimates


def loss(
    reading: Reading, config: Config, kind: Any, nets: Tree, magnet: Tree, part: Tree, entropy_bonus: jax.Array
) -> tuple[jax.Array, Tree]:
    """What is made small: clipped policy loss, errors of value and belief, less entropy, more divergence from the magnet."""
    planes, features = reading.inputs(part["planes"], part["features"])
    log, told, guess = reading.answers(nets["policy"], planes, features, part["mask"], kind)
    anchor, _, _ = reading.answers(magnet, planes, features, part["mask"], kind)
    value = reading.value(nets["critic"], planes, features, part["privileged"], kind)
    own = part["own"].astype(jnp.float32)

    def mean(x: jax.Array) -> jax.Array:
        return (x * own).sum() / own.sum()

    chosen = jnp.take_along_axis(log, part["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(chosen - part["log"])
    clipped = jnp.clip(ratio, 1 - config.clip, 1 + config.clip)
    gain = mean(jnp.minimum(ratio * part["advantage"], clipped * part["advantage"]))
    share = jnp.where(part["mask"] > 0, jnp.exp(log), 0.0)
    spread = -(share * jnp.where(share > 0, log, 0.0)).sum(1)
    entropy, bonus = mean(spread), mean(spread)
    if reading.setup >= 0:
        setting_up = part["features"][:, reading.setup] == 0
        bonus = mean(spread * jnp.where(setting_up, config.setup_entropy, 1.0))
    distance = mean((share * jnp.where(share > 0, log - jax.lax.stop_gradient(anchor), 0.0)).sum(1))
    wrong = ((value - part["target"]) ** 2).mean()
    wrong_told = ((told - part["target"]) ** 2).mean()
    total = -gain - entropy_bonus * bonus + config.kl_to_magnet * distance + 0.5 * wrong + 0.25 * wrong_told
    figures = {"entropy": entropy, "kl_to_magnet": distance, "critic error": wrong, "value error": wrong_told}
    if reading.belief >= 0:
        where = part["planes"][:, reading.belief].reshape(guess.shape).astype(jnp.float32)
        truth = part["privileged"][:, 0].reshape(guess.shape).astype(jnp.float32)
        doubt = jnp.logaddexp(0.0, guess) - truth * guess
        belief = (doubt * where).sum() / where.sum()
        brier = ((jax.nn.sigmoid(guess) - truth) ** 2 * where).sum() / where.sum()
        total = total + config.belief * belief
        figures |= {"belief loss": belief, "brier": brier}
    return total, figures


def adam(state: Tree, gradient: Tree, rates: jax.Array) -> Tree:
    """A step of Adam, after the gradient is clipped to length 1 where it is longer."""
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


def _policy(path: str) -> Tree:
    """A net that is played and does not learn."""
    arrays, _ = load(path)
    return {name: jnp.asarray(array, jnp.float32) for name, array in arrays.items()}


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
