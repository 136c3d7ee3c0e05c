#!/usr/bin/env python3
"""A bot for every game of Oboro: Python 3, no dependencies.

It plays at random, but captures in Geister and takes a treasure in Labyrinth when it can. It also says what it thinks of
its actions and of hidden things. Try it:

    oboro check geister "exec:python3 examples/bots/bot.py"
    oboro match geister "exec:python3 examples/bots/bot.py" random --games 100
"""
import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)  # one line, and out with it


def weigh(parts):
    """How much an action is worth, from its parts: anything you know about the game goes here."""
    if parts.get("kind") == "escape" or parts.get("wins"):
        return 3
    return 2 if parts.get("captures") or parts.get("finds") else 1


def best(message):
    """The actions worth most, from the parallel lists `actions` and `parts`."""
    values = [weigh(parts) for parts in message["parts"]]
    top = max(values)
    return [a for a, value in zip(message["actions"], values) if value == top], values


def main():
    rng = random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say(type="hello", protocol=1, name="example in Python",
                offers=["analysis", "beliefs"], wants=["parts"])
        elif kind == "new-game":
            rng = random.Random(message["seed"])  # the same seed, the same game
        elif kind == "event":
            pass  # what your seat saw; the scene of your next turn knows it, too
        elif kind == "turn":
            say(type="action", action=rng.choice(best(message)[0]))
        elif kind == "analyse":
            good, values = best(message)
            weighed = [{"action": a, "value": v} for a, v in zip(message["actions"], values)]
            say(type="analysis", choice=good[0], measure="worth", values=weighed)
        elif kind == "beliefs":
            say(type="beliefs", beliefs=message["secrets"])  # no better than counting
        elif kind == "quit":
            break


main()
