"""How nets learn from what was played: advantages of all seats, and one pass of a regularised policy gradient.

The critic sees what is hidden. It says what every seat may expect, and how much each action of the seat to move adds to that. A policy that is
pulled towards a magnet, a moving average of itself, and towards entropy that fades converges in games of two where plain gradients go round in
circles (magnetic mirror descent).
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from .config import Config
from .player import Reading

Tree = dict[str, Any]

#: The most that the outcome of an action counts that is rarely drawn.
MOST_WEIGHT = 10.0

optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(eps=1e-6))


def advantages(
    gae_lambda: float, values: jax.Array, last: jax.Array, paid: jax.Array, done: jax.Array, ratio: jax.Array
) -> jax.Array:
    """Generalised advantage estimates of every seat over the plies of all: (plies, games, seats). `ratio` is how much likelier the policy
    would have drawn each action than it was drawn; what follows an action counts by the ratios after it."""

    def back(carry: tuple[jax.Array, jax.Array], row: tuple[jax.Array, ...]) -> tuple[tuple[jax.Array, ...], jax.Array]:
        next_value, next_gain = carry
        value, reward, over, likelier = row
        advantage = jnp.where(over[:, None], reward, next_value + gae_lambda * next_gain) - value
        return (value, likelier[:, None] * advantage), advantage

    _, estimates = jax.lax.scan(back, (last, jnp.zeros_like(last)), (values, paid, done, ratio), reverse=True)
    return estimates


def learn(
    reading: Reading, config: Config, kind: Any, state: Tree, batches: list[Tree], rates: Tree, key: jax.Array
) -> tuple[Tree, Tree]:
    """One pass over what was played."""
    census = reading.census
    rows = [{name: jnp.stack([row[name] for row in b["rows"]]) for name in b["rows"][0]} for b in batches]
    data = {name: jnp.concatenate([part[name] for part in rows], 1) for name in rows[0]}
    last = {name: jnp.concatenate([b["last"][name] for b in batches]) for name in batches[0]["last"]}

    def expected(row: Tree) -> jax.Array:
        return reading.values(state["nets"]["critic"], row, kind)[0]

    # Ply by ply, which bounds the memory.
    data["value"], bootstrap = jax.lax.map(expected, data), expected(last)
    done, seats = data.pop("done") > 0, data["seat"][:, :, None].astype(jnp.int32)
    paid = (data["reward"] - census.mean) / census.deviation
    estimates = advantages(config.gae_lambda, data["value"], bootstrap, paid, done, data["ratio"])
    data["target"] = estimates + data["value"]
    data["state target"] = data["ratio"][:, :, None] * estimates + data["value"]
    advantage = jnp.take_along_axis(estimates, seats, 2)[:, :, 0]
    own = data["own"]
    mean = (advantage * own).sum() / own.sum()
    deviation = jnp.sqrt(((advantage - mean) ** 2 * own).sum() / own.sum() + 1e-8)
    data["advantage"] = (advantage - mean) / deviation
    games = own.shape[1]
    order = jax.random.permutation(key, games).reshape(-1, min(config.minibatch, games))

    def step(carry: Tree, chosen: jax.Array) -> tuple[Tree, Tree]:
        part = jax.tree.map(lambda x: x[:, chosen].reshape((x.shape[0] * len(chosen),) + x.shape[2:]), data)
        lossy = functools.partial(loss, reading, config, kind)
        gradient, figures = jax.grad(lossy, has_aux=True)(carry["nets"], carry["magnet"], part, rates)
        # While only the critic learns, the policy's gradient is nothing.
        gradient["policy"] = jax.tree.map(lambda g: g * rates["moving"], gradient["policy"])
        steps, inner = optimiser.update(gradient, carry["optimiser"])
        nets = jax.tree.map(lambda p, s: p - rates["learning"] * s, carry["nets"], steps)
        return {**carry, "nets": nets, "optimiser": inner}, figures

    state, figures = jax.lax.scan(step, state, order)
    told = jax.tree.map(jnp.mean, figures)
    told["plies a game"] = done.size / jnp.maximum(1, done.sum())
    for name in ("magnet", "average"):
        state[name] = jax.tree.map(lambda m, p, rate=rates[name]: m + rate * (p - m), state[name], state["nets"]["policy"])
    return state, told


def loss(reading: Reading, config: Config, kind: Any, nets: Tree, magnet: Tree, part: Tree, rates: Tree) -> tuple[jax.Array, Tree]:
    """What is made small."""
    inputs = reading.inputs(part["planes"], part["features"])
    mask = part["mask"] > 0
    log, told, guess = reading.answers(nets["policy"], *inputs, mask, kind)
    anchor, _, _ = reading.answers(magnet, *inputs, mask, kind)
    values, extra = reading.values(nets["critic"], part, kind)
    own = part["own"] / part["own"].sum()
    action, seat = part["action"][:, None], part["seat"][:, None].astype(jnp.int32)

    def of(rows: jax.Array, number: jax.Array) -> jax.Array:
        return jnp.take_along_axis(rows, number, 1)[:, 0]

    share = jnp.where(mask, jnp.exp(log), 0.0)
    spread = -jnp.where(share > 0, share * log, 0.0).sum(1)
    away = jnp.where(share > 0, share * (log - anchor), 0.0).sum(1)
    entropy, distance = (own * spread).sum(), (own * away).sum()

    # What the critic and the game say of every action.
    target, seat_value = part["target"], of(values, seat)
    expected = jax.lax.stop_gradient(seat_value)
    said = expected + of(extra, action)
    wrong_action = ((said - of(target, seat)) ** 2).mean()
    if config.method == "ppo":
        # Clipped is what the policy changed since it played. That some actions were drawn at random is a factor of its own.
        change = jnp.exp(of(log, action) - part["meant"])
        clipped = jnp.clip(change, 1 - config.clip, 1 + config.clip)
        gain = (own * part["ratio"] * jnp.minimum(change * part["advantage"], clipped * part["advantage"])).sum()
    else:
        weight = jnp.minimum(jnp.exp(-part["log"]), MOST_WEIGHT)
        drawn = action == np.arange(reading.actions)
        worth = extra + drawn * (weight * (of(target, seat) - said))[:, None]
        worth = jax.lax.stop_gradient(jnp.where(mask, worth, 0.0))
        gain = (own * (share * worth).sum(1)).sum()
    policy_loss = -gain - rates["entropy"] * entropy + rates["kl"] * distance
    wrong = ((values - part["state target"]) ** 2).mean()
    census = reading.census
    outcome = of(part["state target"], seat) * census.deviation + census.mean
    outcome = 2 * (outcome - census.low) / (census.high - census.low) - 1
    wrong_told = ((told - outcome) ** 2).mean()
    total = policy_loss + 0.5 * wrong + 0.5 * wrong_action + 0.25 * wrong_told
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


def act(
    reading: Reading, config: Config, kind: Any, policy: Tree, others: list[Tree], seen: Tree, memory: Tree, key: jax.Array, number: int
) -> tuple[Tree, Tree]:
    """Draws an action for each game, with the key and its number; what was seen comes along. `memory` is what is remembered of each seat of each
    game: `reach`, how much likelier the policy would have drawn its actions than they were drawn, and whether it has `acted`."""
    inputs = reading.inputs(seen["planes"], seen["features"])
    log, _, _ = reading.answers(policy, *inputs, seen["mask"], kind)
    games, seats = memory["reach"].shape
    met = config.met_games // (config.games // games)
    first = games - met
    # The seat that explores, and, in the last games, the one that learns.
    held = seen["seat"] == (np.arange(games) - first) % seats
    own, played = jnp.where(np.arange(games) < first, True, held), log
    if met:
        bounds = [first + met * i // len(others) for i in range(len(others) + 1)]
        parts = [log[:first]]
        for i, other in enumerate(others):
            part = slice(bounds[i], bounds[i + 1])
            theirs, _, _ = reading.answers(other, *(x[part] for x in inputs), seen["mask"][part], kind)
            parts.append(jnp.where(own[part][:, None], log[part], theirs))
        played = jnp.concatenate(parts)
    seat = seen["seat"][:, None].astype(jnp.int32) == np.arange(seats)
    new = seen["new"][:, None] > 0
    reach, acted = jnp.where(new, 1.0, memory["reach"]), memory["acted"] & ~new
    # Rare positions must be met, or nothing is learned about the answer to those who bring them about.
    share = jnp.where((acted & seat).any(1), config.explore, config.explore_first)
    share = jnp.where(held, share, 0.0)[:, None]
    legal = seen["mask"] > 0
    spread = jnp.log(share) - jnp.log(legal.sum(1, keepdims=True))
    drawn = jnp.where(legal, jnp.logaddexp(played + jnp.log1p(-share), spread), -1e9)
    action = jax.random.categorical(jax.random.fold_in(key, number), drawn)
    meant, chosen = (jnp.take_along_axis(rows, action[:, None], 1)[:, 0] for rows in (played, drawn))
    ratio = jnp.exp(meant - chosen)
    # What a seat may know of hidden things depends on how likely the others were to come here: were their random actions not discounted,
    # the policy would be an answer to opponents who err as often.
    others_reach = 1.0 if config.expect_errors else jnp.minimum(jnp.where(seat, 1.0, reach).prod(1), MOST_WEIGHT)
    told = {"action": action, "log": chosen, "meant": meant, "ratio": ratio, "own": own * others_reach}
    kept = {"reach": jnp.where(seat, reach * ratio[:, None], reach), "acted": acted | seat}
    return {**{name: array for name, array in seen.items() if name != "new"}, **told}, kept
