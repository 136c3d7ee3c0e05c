"""Random steps with observations and masks per second: Oboro beside what a user would take instead, in one run.

    pip install oboro open_spiel pgx pettingzoo pygame rlcard
    python bench/speed.py --seconds 1 --repeats 5

HandyRL is no package of the registry: clone it and put the clone on PYTHONPATH (its Geister imports PyTorch).

Every line plays games at random from a fixed seed and computes, for every step, what the player to move sees and which actions it has; lines that
say "steps" or "clones" play or copy games without looking at them.
Each line is the median of several rounds through all lines. The last column counts the time that this process had on a core, all its threads
together: on a machine that others use, too, it says more than the clock. What is not installed is left out, and said so.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import oboro

Steps = Callable[[float], tuple[int, float, float]]

LARGE = ("geister", "labyrinth", "saboteur", "sevens")


def timed(step: Callable[[], int], seconds: float) -> tuple[int, float, float]:
    """Calls `step`, which says how many steps it made, for about so long: steps, seconds, seconds on a core."""
    step()
    began, on_core = time.perf_counter(), time.process_time()
    steps = 0
    while (spent := time.perf_counter() - began) < seconds:
        steps += step()
    return steps, spent, time.process_time() - on_core


def vec(name: str, games: int, threads: int, **rules: int) -> Steps:
    batch = oboro.vec(name, games, rules=rules, seed=1, threads=threads)

    def step() -> int:
        batch.step(batch.sample())
        return games

    return lambda seconds: timed(step, seconds)


def one_game(name: str) -> Steps:
    """One game, one step at a time, the action drawn in Python."""
    batch = oboro.vec(name, 1, seed=1, threads=1)
    action = np.zeros(1, dtype=np.int64)
    masks, step_batch = batch.masks, batch._batch.step

    def step() -> int:
        for _ in range(100):
            action[0] = masks[0].argmax()
            step_batch(action)
        return 100

    return lambda seconds: timed(step, seconds)


def aec(make: Callable[[], object]) -> Steps:
    """A PettingZoo environment."""
    env = make()
    rng = np.random.default_rng(1)

    def step() -> int:
        env.reset(seed=int(rng.integers(2**31)))
        steps = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
            steps += 1
        return steps

    return lambda seconds: timed(step, seconds)


def live(name: str) -> Steps:
    """One live game at a time, actions by their indices, without observations. Like OpenSpiel's, games are clones of the first."""
    start = oboro.game(name).new_game(seed=1)
    rng = random.Random(1)

    def step() -> int:
        one, steps = start.clone(), 0
        while not one.is_over:
            one.play(rng.choice(one.action_indices))
            steps += 1
        return steps

    return lambda seconds: timed(step, seconds)


def live_whole(name: str) -> Steps:
    """The same with planes, features and the mask of every position."""
    game = oboro.game(name)
    rng = random.Random(1)

    def step() -> int:
        one, steps = game.new_game(seed=rng.getrandbits(63)), 0
        while (seat := one.to_act) is not None:
            view = one.view(seat)
            _ = view.planes, view.features, view.mask
            one.play(rng.choice(one.action_indices))
            steps += 1
        return steps

    return lambda seconds: timed(step, seconds)


def live_clone(name: str) -> Steps:
    """Clones of a game after its first action."""
    one = oboro.game(name).new_game(seed=1)
    one.play(one.actions[0])

    def step() -> int:
        for _ in range(100):
            one.clone()
        return 100

    return lambda seconds: timed(step, seconds)


def spiel_start(name: str) -> object:
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def spiel_plain(name: str) -> Steps:
    """OpenSpiel's states, without observations."""
    start = spiel_start(name)
    rng = random.Random(1)

    def step() -> int:
        state, steps = start.clone(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return lambda seconds: timed(step, seconds)


def spiel_clone(name: str) -> Steps:
    state = spiel_start(name)
    state.apply_action(state.legal_actions()[0])

    def step() -> int:
        for _ in range(100):
            state.clone()
        return 100

    return lambda seconds: timed(step, seconds)


def pgx(name: str, games: int) -> Steps:
    """Pgx steps many games in one compiled function; what it compiles is not counted."""
    import jax
    import pgx as library

    env = library.make(name)

    @jax.jit
    def play(states, key):
        keys = jax.random.split(key, games + 1)
        scores = jax.random.uniform(keys[0], states.legal_action_mask.shape)
        actions = (scores * states.legal_action_mask).argmax(axis=1)
        states = jax.vmap(env.step)(states, actions)
        fresh = jax.vmap(env.init)(keys[1:])
        over = states.terminated
        states = jax.tree.map(lambda old, new: jax.numpy.where(over.reshape(-1, *[1] * (old.ndim - 1)), new, old), states, fresh)
        return states, jax.random.fold_in(key, 1)

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), games))
    held = [states, jax.random.key(2)]

    def step() -> int:
        held[:] = play(*held)
        held[0].observation.block_until_ready()
        return games

    return lambda seconds: timed(step, seconds)


def open_spiel(name: str) -> Steps:
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(1)
    # The richer of the two that the game has.
    information = game.get_type().provides_information_state_tensor

    def step() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
                continue
            _ = state.information_state_tensor() if information else state.observation_tensor()
            _ = state.legal_actions_mask()
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return lambda seconds: timed(step, seconds)


def classic(name: str) -> Steps:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import importlib

    return aec(importlib.import_module(f"pettingzoo.classic.{name}").env)


def handyrl() -> Steps:
    """HandyRL's Geister as its own generator of games uses it: what the player to move sees, and its actions."""
    from handyrl.environment import make_env  # type: ignore[import-not-found]

    env = make_env({"env": "Geister"})
    rng = random.Random(1)

    def step() -> int:
        env.reset()
        steps = 0
        while not env.terminal():
            player = env.turn()
            _ = env.observation(player)
            env.play(rng.choice(env.legal_actions(player)), player)
            steps += 1
        return steps

    return lambda seconds: timed(step, seconds)


def our_aec(name: str) -> Steps:
    from oboro import envs

    return aec(lambda: envs.aec(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each line runs in a round")
    parser.add_argument("--repeats", type=int, default=5, help="rounds, of which the median is printed")
    parser.add_argument("--only", nargs="*", help="only lines with one of these words")
    parser.add_argument("--games", type=int, default=1024, help="games stepped together")
    parser.add_argument("--threads", type=int, default=0, help="threads of oboro.vec, 0 for one per core")
    args = parser.parse_args()
    lines: list[tuple[str, Callable[[], Steps]]] = []
    for name in oboro.games():
        # Saboteur's masks are large: fewer games fit a cache.
        games = min(args.games, 128) if name == "saboteur" else args.games
        lines.append((f"oboro.vec {name}, {games} games", lambda name=name, games=games: vec(name, games, args.threads)))
    lines += [(f"oboro.vec {name}, 1 game", lambda name=name: one_game(name)) for name in LARGE]
    lines += [(f"oboro.envs.aec {name}", lambda name=name: our_aec(name)) for name in ("geister", "sevens")]
    for name in ("phantom-ttt", *LARGE):
        lines.append((f"oboro live game {name}, steps", lambda name=name: live(name)))
        lines.append((f"oboro live game {name}, arrays", lambda name=name: live_whole(name)))
        lines.append((f"oboro live game {name}, clones", lambda name=name: live_clone(name)))
    lines.append(("OpenSpiel phantom_ttt, steps", lambda: spiel_plain("phantom_ttt")))
    lines.append(("OpenSpiel phantom_ttt, clones", lambda: spiel_clone("phantom_ttt")))
    for name in ("kuhn_poker", "leduc_holdem", "tic_tac_toe"):
        lines.append((f"Pgx {name}, {args.games} games", lambda name=name: pgx(name, args.games)))
    lines.append(("HandyRL Geister", handyrl))
    for name in ("dark_hex", "phantom_ttt", "dark_chess", "hearts", "liars_dice", "leduc_poker"):
        lines.append((f"OpenSpiel {name}", lambda name=name: open_spiel(name)))
    for name in ("connect_four_v3", "tictactoe_v3", "leduc_holdem_v4"):
        lines.append((f"PettingZoo {name}", lambda name=name: classic(name)))
    made: dict[str, Steps] = {}
    for label, make in lines:
        if args.only and not any(word in label for word in args.only):
            continue
        try:
            made[label] = make()
        except (ImportError, ModuleNotFoundError) as error:
            print(f"{label:<34}  not installed: {error}")
    rounds = [{label: run(args.seconds) for label, run in made.items()} for _ in range(args.repeats)]
    print(f"{'what':<34}{'steps a second':>16}{'µs a step':>12}{'steps a core-second':>22}")
    for label in made:
        a_second = statistics.median(steps / spent for steps, spent, _ in (times[label] for times in rounds))
        on_core = statistics.median(steps / busy for steps, _, busy in (times[label] for times in rounds))
        print(f"{label:<34}{a_second:>16,.0f}{1e6 / a_second:>12.2f}{on_core:>22,.0f}")


if __name__ == "__main__":
    main()
