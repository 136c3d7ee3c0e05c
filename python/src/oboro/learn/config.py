"""What a training run is to be: one TOML file, every value with a default."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any


#: What a net may be.
NETS = ("board", "series")


#: What settings are called in the files of nets that were trained before.
_RENAMED = {
    "magnet": "kl_to_magnet",
    "most_payoff": "max_payoff",
    "opponent": "frozen_opponent",
    "opponent_least": "frozen_min_share",
    "opponent_setups": "frozen_setups",
    "opponent_temperature": "frozen_temperature",
    "stranger_games": "opponent_games",
    "stranger_threads": "opponent_threads",
    "strangers": "opponents",
    "trace": "gae_lambda",
}


@dataclass(frozen=True)
class Config:
    """The settings of a run. Pairs are values at its beginning and at its end, with a straight line between."""

    game: str = "geister"
    rules: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    #: Games stepped together, and plies of each between two updates.
    games: int = 16384
    plies: int = 32
    #: How many updates the run has; the pairs below are spread over them.
    updates: int = 1000
    #: Games whose plies make one step of the optimiser.
    minibatch: int = 1024
    #: The policy's net, and the critic's, which also sees what is hidden: `board` for convolutions over the board, `series` for the
    #: cards on either side of the 7 of each suit, which are eight times the same.
    net: str = "board"
    channels: int = 64
    blocks: int = 5
    critic_blocks: int = 3
    #: How many action numbers each cell of the board has; the others are answered for the board as a whole.
    cell_actions: int = 4
    #: Planes that the net leaves out, by the beginning of their names.
    ignore_planes: tuple[str, ...] = ()
    #: Features it is given, by name; all if empty.
    features: tuple[str, ...] = ()
    #: Planes that mark the cells whose hidden content (the first plane of the privileged state) the net is asked to guess.
    belief_plane: str = ""
    #: A feature that is 0 while a game is set up; then an action is drawn at random for this share of games, one of these by number or,
    #: if there are none, of all.
    setup_feature: str = ""
    random_setup: float = 0.25
    setups: tuple[int, ...] = ()
    #: How much more the entropy of a set-up counts than that of a move.
    setup_entropy: float = 1.0
    learning_rate: tuple[float, float] = (1e-3, 1e-4)
    entropy: tuple[float, float] = (0.03, 0.012)
    #: The weight of the KL divergence to a frozen copy of the policy (the magnet), and after how many updates the copy is renewed.
    kl_to_magnet: float = 0.06
    magnet_every: int = 60
    #: The λ of generalised advantage estimation.
    gae_lambda: float = 0.95
    clip: float = 0.2
    belief: float = 0.25
    #: The share of games in which one seat is held by an earlier policy, and how those are kept.
    snapshot_share: float = 0.5
    snapshot_every: int = 40
    snapshots: int = 16
    #: How many of them play at a time, and how sharply: one of these temperatures each (`inf`: at random).
    snapshots_at_once: int = 1
    snapshot_temperatures: tuple[float, ...] = (1.0,)
    #: Nets that are met as earlier policies are and never dropped, as exploiters of an earlier run; they are drawn with this share.
    rivals: tuple[str, ...] = ()
    rival_share: float = 0.25
    #: Agents of the laboratory that hold the other seats (several with blanks between them), the games that are played with each
    #: entry, the learner at every seat in turn, and the threads that step them. If they have all games, nobody else is met.
    #: Nearly all games with one of them measure how that agent can be beaten.
    opponents: tuple[str, ...] = ()
    opponent_games: int = 256
    opponent_threads: int = 2
    #: What the best outcome of a game is worth.
    max_payoff: float = 1.0
    #: A run to begin from, its folder: its nets and its earlier policies, and nothing else of it. Or a policy alone, its file.
    begin: str = ""
    #: Updates at the beginning in which the critic learns and the policy stays, for a policy that begins without its critic.
    critic_first: int = 0
    #: A frozen opponent instead of earlier policies: the path of a net, for measuring how it can be beaten. Several, with blanks between
    #: them, have equal shares of the games, as if one were drawn for each.
    frozen_opponent: str = ""
    #: How sharply that opponent plays.
    frozen_temperature: float = 1.0
    #: It leaves alone what it likes less than this share of its favourite.
    frozen_min_share: float = 0.0
    #: Its set-ups, the numbers of actions that are equally likely; none: as it learned.
    frozen_setups: tuple[int, ...] = ()
    #: After how many updates a copy of the policy is kept for good, to choose from; 0 for none.
    keep_every: int = 0
    #: Arithmetic of the nets while training.
    precision: str = "bfloat16"

    @classmethod
    def of(cls, settings: dict[str, Any]) -> Config:
        """The settings that stand in the file of a net, by their present names."""
        return cls(**{_RENAMED.get(k, k): tuple(v) if isinstance(v, list) else v for k, v in settings.items()})

    @classmethod
    def read(cls, path: str | Path) -> Config:
        """Reads a configuration, naming what is wrong with it."""
        with open(path, "rb") as file:
            data = tomllib.load(file)
        known = {f.name: f for f in fields(cls)}
        for name, value in data.items():
            if name not in known:
                raise ValueError(f"{path}: `{name}` is no setting; there are {', '.join(sorted(known))}")
            default = getattr(cls(), name)
            if isinstance(default, tuple):
                data[name] = tuple(value)
            elif isinstance(default, float) and isinstance(value, int):
                data[name] = float(value)
            elif not isinstance(value, type(default)):
                raise ValueError(f"{path}: `{name}` is a {type(default).__name__}, not {value!r}")
        config = cls(**data)
        if config.games % 2 or (config.games // 2) % config.minibatch and config.minibatch < config.games:
            raise ValueError(f"{path}: half of `games` must be a multiple of `minibatch`")
        if config.net not in NETS:
            raise ValueError(f"{path}: `net` is one of {', '.join(NETS)}, not {config.net!r}")
        if config.opponent_games % 2 or config.own_games and config.met_games < 2 or config.own_games < 0:
            raise ValueError(
                f"{path}: `opponent_games` must be even, and leave some of `games`, of which `snapshot_share` are for earlier policies,"
                " or none"
            )
        if min(config.snapshot_temperatures, default=0) <= 0 or config.snapshots_at_once < 1:
            raise ValueError(f"{path}: `snapshot_temperatures` and `snapshots_at_once` must be positive")
        if config.frozen_temperature <= 0 or not 0 <= config.frozen_min_share <= 1 or not 0 <= config.random_setup <= 1:
            raise ValueError(f"{path}: `frozen_temperature` must be positive, `frozen_min_share` and `random_setup` from 0 to 1")
        return config

    @property
    def own_games(self) -> int:
        """Of each half of the games, those in which no agent of the laboratory plays."""
        return (self.games - len(self.opponents) * self.opponent_games) // 2

    @property
    def met_games(self) -> int:
        """Of each half of the games, those in which an earlier policy or the frozen opponent holds a seat."""
        return int(self.own_games * (1.0 if self.frozen_opponent else self.snapshot_share)) // 2 * 2

    def data(self) -> dict[str, Any]:
        """The settings as plain data."""
        return asdict(self)

    def between(self, pair: tuple[float, float], update: int) -> float:
        """A value that changes over the run."""
        share = min(1.0, update / max(1, self.updates))
        return pair[0] + (pair[1] - pair[0]) * share
