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
    score = commands.add_parser("score", help="play a policy against a named agent")
    score.add_argument("policy", help="policy.safetensors of a run")
    score.add_argument("agent", help="the agent's spec, as in `oboro match`; several with blanks between them; or another net's path")
    score.add_argument("--games", type=int, default=200)
    score.add_argument("--temperature", type=float, default=0.3)
    score.add_argument("--frozen-temperature", type=float, default=0.3, help="how freely another net moves")
    score.add_argument("--frozen-min-share", type=float, default=0.0, help="the share of its favourite below which it likes nothing")
    score.add_argument("--frozen-setups", type=int, nargs="*", default=[], help="its set-ups, by their numbers (default: as learned)")
    score.add_argument("--seed", type=int, default=1)
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

        result = play(
            given.policy,
            given.agent,
            given.games,
            given.temperature,
            given.seed,
            given.frozen_temperature,
            given.frozen_min_share,
            tuple(given.frozen_setups),
        )
        print(json.dumps(result))
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
