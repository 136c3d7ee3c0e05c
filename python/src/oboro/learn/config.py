"""What a training run is to be: one TOML file, every value with a default."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

#: What a net may be; `auto` is `board` where the game has a board and `flat` where it has none.
NETS = ("auto", "flat", "board", "series")

#: How the policy is improved: by what the critic and the game say of every action, or by clipped ratios of the actions drawn.
METHODS = ("qpg", "ppo")

#: Games are stepped in so many parts, each by a thread of its own: while nets think about one, the engine steps another.
PARTS = 4


@dataclass(frozen=True)
class Config:
    """The settings of a run. Pairs are values at its beginning and at its end, with equal ratios between."""

    game: str
    rules: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    #: Games stepped together, and plies of each between two updates.
    games: int = 1024
    plies: int = 16
    #: How many updates the run has; the pairs below are spread over them.
    updates: int = 1000
    #: Games whose plies make one step of the optimiser.
    minibatch: int = 128
    #: The net of the policy, and of the critic, which also sees what is hidden: `flat` for dense layers over all features, each value of which is an
    #: input of its own; `board` for convolutions over the board; `series` for the cards on either side of the 7 of each suit.
    net: str = "auto"
    channels: int = 128
    blocks: int = 1
    critic_blocks: int = 1
    #: How many action numbers each cell of the board has; the others are answered for the board as a whole. -1: as many as there are for all cells.
    cell_actions: int = -1
    #: Planes that the net leaves out, by the beginning of their names.
    ignore_planes: tuple[str, ...] = ()
    #: Features it is given, by name; all if empty.
    features: tuple[str, ...] = ()
    #: Planes that mark the cells whose hidden content (the first plane of the privileged state) the net is asked to guess, and the weight of that.
    belief_plane: str = ""
    belief: float = 0.25
    #: How the policy is improved.
    method: str = "qpg"
    learning_rate: tuple[float, float] = (1e-3, 1e-4)
    #: The weight of the entropy, in standard deviations of the payoffs of random play.
    entropy: tuple[float, float] = (0.2, 0.01)
    #: The weight of the KL divergence to the magnet, a moving average of the policy, and over about how many updates it is taken.
    kl_to_magnet: tuple[float, float] = (0.2, 0.2)
    magnet_updates: int = 50
    #: The policy that is written is an average over the run, in which each update counts by its number to this power.
    average_power: float = 2.0
    #: The share of its first action in a game, and of its later ones, that one seat of each game draws at random, so that rare positions are met;
    #: what it learns is corrected for it.
    explore_first: float = 0.2
    explore: float = 0.2
    #: Whether the others' answers to random actions count in full: the policy then also answers strangers, who err. If not, they count by how likely the
    #: policy itself would have led there, and the policy comes closer to an equilibrium.
    expect_errors: bool = False
    #: The λ of generalised advantage estimation.
    gae_lambda: float = 0.95
    clip: float = 0.2
    #: The share of games in which the learner holds one seat and the magnet the others.
    magnet_games: float = 0.0
    #: Nets that hold all seats but one of every game instead, files with blanks between them: the run measures how they can be beaten.
    frozen_opponent: str = ""
    #: A policy to begin from, its file, and updates at the beginning in which the critic learns and the policy stays.
    begin: str = ""
    critic_first: int = 0
    #: After how many updates the exploitability of the policy is computed, which only small games allow; 0 for never.
    exact_every: int = 0
    #: Arithmetic of the nets while training.
    precision: str = "float32"

    @classmethod
    def of(cls, settings: dict[str, Any]) -> Config:
        """The settings that stand in the file of a net; those of former trainers that are gone are left out."""
        known = {f.name: f.type for f in fields(cls)}
        kept = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items() if k in known}
        return cls(**{k: v for k, v in kept.items() if not (known[k].startswith("tuple[float") and isinstance(v, float))})

    @classmethod
    def read(cls, path: str | Path) -> Config:
        """Reads a configuration, naming what is wrong with it."""
        with open(path, "rb") as file:
            return cls.checked(tomllib.load(file), str(path))

    @classmethod
    def checked(cls, data: dict[str, Any], path: str) -> Config:
        """Settings as a person writes them; `path` says where."""
        known = {f.name: f for f in fields(cls)}
        if "game" not in data:
            raise ValueError(f"{path}: `game` is missing")
        defaults, given = cls(game=""), {}
        for name, value in data.items():
            if name not in known:
                raise ValueError(f"{path}: `{name}` is no setting; there are {', '.join(sorted(known))}")
            default = getattr(defaults, name)
            if isinstance(default, tuple) and isinstance(value, list):
                value = tuple(value)
            elif isinstance(default, float) and isinstance(value, int):
                value = float(value)
            if not isinstance(value, type(default)) or isinstance(value, bool) != isinstance(default, bool):
                raise ValueError(f"{path}: `{name}` is a {type(default).__name__}, not {value!r}")
            given[name] = value
        config = cls(**given)
        if config.games < 1 or config.games % PARTS or config.minibatch < 1 or config.games % min(config.minibatch, config.games):
            raise ValueError(f"{path}: `games` must be a multiple of {PARTS} and of `minibatch`")
        for name, known_values in (("net", NETS), ("method", METHODS)):
            if getattr(config, name) not in known_values:
                raise ValueError(f"{path}: `{name}` is one of {', '.join(known_values)}, not {getattr(config, name)!r}")
        if config.average_power < 0:
            raise ValueError(f"{path}: `average_power` is at least 0")
        for name in ("learning_rate", "entropy", "kl_to_magnet"):
            pair = getattr(config, name)
            if len(pair) != 2 or min(pair) < 0:
                raise ValueError(f"{path}: `{name}` is two numbers from 0, at the beginning and at the end")
        if min(config.plies, config.updates, config.channels, config.magnet_updates) < 1 or not (
            0 <= config.magnet_games <= 1 and 0 <= config.explore < 1 and 0 <= config.explore_first < 1
        ):
            raise ValueError(
                f"{path}: `plies`, `updates`, `channels` and `magnet_updates` are at least 1, `magnet_games` from 0 to 1, `explore` and `explore_first` from 0 "
                "to less than 1"
            )
        return config

    @property
    def met_games(self) -> int:
        """In how many games the learner holds one seat: as many in each part."""
        return PARTS * int(self.games // PARTS * (1.0 if self.frozen_opponent else self.magnet_games))

    def data(self) -> dict[str, Any]:
        """The settings as plain data."""
        return asdict(self)

    def between(self, pair: tuple[float, float], update: int) -> float:
        """A value that changes over the run."""
        share = min(1.0, update / max(1, self.updates))
        first, last = pair
        return first * (last / first) ** share if first and last else first + (last - first) * share
