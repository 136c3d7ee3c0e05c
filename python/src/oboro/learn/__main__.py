"""The command line of the trainer: ``python -m oboro.learn --help``."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import time
from collections.abc import Iterator

from .config import NETS, Config


def main(arguments: list[str] | None = None) -> int:
    """Runs a command."""
    parser = argparse.ArgumentParser(prog="python -m oboro.learn", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train a policy; a folder with a checkpoint is gone on with")
    train.add_argument("config", help="the run's settings, a TOML file")
    train.add_argument("folder", help="where checkpoints, the curve and the policy go")
    train.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long (default: at the run's end)")
    train.add_argument(
        "--checkpoint-minutes", type=float, default=5.0, help="keep a checkpoint this often, for a run that is killed (default: 5)"
    )
    score = commands.add_parser("score", help="play a policy against agents")
    score.add_argument("policy", help="policy.safetensors of a run")
    score.add_argument("agents", help="specs of agents, as in `oboro match`, or files of other policies, with blanks between them")
    score.add_argument("--games", type=int, default=200)
    score.add_argument("--temperature", type=float, default=1.0)
    score.add_argument("--seed", type=int, default=1)
    exploit = commands.add_parser("exploit", help="train opponents of a policy, from nothing and from its own weights: what they win is a lower bound of what a best response wins")
    exploit.add_argument("policy", help="policy.safetensors of a run")
    exploit.add_argument("--samples", type=float, default=0.1, help="share of the policy's own plies that each opponent plays (default: 0.1)")
    exploit.add_argument("--games", type=int, default=1000, help="games that are then played against it (default: 1000)")
    exploit.add_argument("--seed", type=int, default=1)
    exploit.add_argument("--folder", help="where the opponents are kept (default: nowhere)")
    card = commands.add_parser("card", help="train again what a model card describes, and compare with it")
    card.add_argument("card", help="a model.toml, as in models/")
    card.add_argument("folder", help="where the runs go, a folder a seed")
    card.add_argument("--seeds", type=int, nargs="*", help="which of the card's seeds (default: all)")
    golden = commands.add_parser("golden", help="write the tiny net that the engine's tests compare with")
    golden.add_argument("path")
    golden.add_argument("--net", choices=NETS, default="board")
    given = parser.parse_args(arguments)
    try:
        return _run(given)
    except (ValueError, FileNotFoundError) as error:
        parser.error(str(error))


def _run(given: argparse.Namespace) -> int:
    """Runs what the command line asks for."""
    if given.command == "golden":
        from .golden import golden as write

        write(given.path, given.net)
    elif given.command == "score":
        from .score import score as play

        print(json.dumps(play(given.policy, given.agents, given.games, given.temperature, given.seed)))
    elif given.command == "exploit":
        from .score import exploit

        for result in exploit(given.policy, given.samples, given.games, given.seed, given.folder):
            print(json.dumps(result), flush=True)
    elif given.command == "card":
        from .card import Card

        for line in Card.read(given.card).make(given.folder, given.seeds):
            print(json.dumps(line), flush=True)
    else:
        from .train import Trainer

        if not given.checkpoint_minutes > 0:
            raise ValueError(f"--checkpoint-minutes must be positive, not {given.checkpoint_minutes}")

        began = time.monotonic()
        with _asked_to_stop() as asked:
            trainer = Trainer(Config.read(given.config), given.folder)
            trainer.run(
                stop=lambda: bool(asked) or time.monotonic() - began > 60 * given.minutes,
                report=lambda line: print(json.dumps(line), flush=True),
                checkpoint_minutes=given.checkpoint_minutes,
            )
        if asked:
            print("stopped after the update under way; the checkpoint is kept", file=sys.stderr)
            return 128 + asked[0]
    return 0


@contextlib.contextmanager
def _asked_to_stop() -> Iterator[list[int]]:
    """Collects the first Ctrl-C or SIGTERM instead of ending the program; a second one ends it at once. In the end the
    signals do again what they did before."""
    asked: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def ask(number: int, _: object) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    # Ctrl-C too, since a shell starts what runs in the background with it ignored.
    for number in before:
        signal.signal(number, ask)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
