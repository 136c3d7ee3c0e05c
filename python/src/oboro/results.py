"""What matches and leagues come to: numbers with their intervals, and tables that pandas and polars take as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["LeagueResult", "MatchResult"]

Columns = dict[str, list[Any]]


def _interval(mean: float, interval: Mapping[str, float] | None) -> str:
    if interval is None:
        return f"{mean:.3f}"
    return f"{mean:.3f} ({interval['low']:.3f} to {interval['high']:.3f})"


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [head, *rows]]
    return "\n".join(line.rstrip() for line in lines)


class MatchResult:
    """A match that was played."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.agents: list[str] = raw["agents"]
        """Canonical specs, one a seat in the order given."""
        self.entrants: list[str] = raw["entrants"]
        """The different agents among them; games name them by number."""
        self.summary: dict[str, Any] = raw["summary"]
        """Means with 95 % intervals by deal, the paired difference, Elo: what `oboro match --json` prints."""
        self.sprt: dict[str, Any] | None = raw["sprt"]
        """What the sequential test says that was to stop it."""
        self.beliefs: list[dict[str, Any]] = raw["beliefs"]
        """How good the agents' beliefs were, if they were scored."""
        self.games: list[dict[str, Any]] = raw["games"]
        """One dict a game, as result files have them."""
        self._games_per_deal: int = raw["games_per_deal"]

    def payoff(self, agent: str | int = 0) -> float:
        """The mean payoff of an agent, by its name or its number among the entrants."""
        number = self.entrants.index(agent) if isinstance(agent, str) else agent
        mean: float = self.summary["entrants"][number]["payoff"]["mean"]
        return mean

    def wins(self, agent: str | int = 0) -> float:
        """The share of wins of an agent."""
        number = self.entrants.index(agent) if isinstance(agent, str) else agent
        mean: float = self.summary["entrants"][number]["wins"]["mean"]
        return mean

    def to_dict(self) -> Columns:
        """One row for every seat of every game: `pandas.DataFrame(result.to_dict())`, `polars.DataFrame(result.to_dict())`.

        Facts of the game become columns, too. Games of one deal share its luck: `deal` says which belong together.
        """
        names = sorted({name for game in self.games for name in game.get("facts", {})})
        columns: Columns = {key: [] for key in ("game", "deal", "seat", "agent", "payoff", "plies", *names)}
        for game in self.games:
            facts = game.get("facts", {})
            for seat, entrant in enumerate(game["seats"]):
                columns["game"].append(game["n"])
                columns["deal"].append(game["n"] // self._games_per_deal)
                columns["seat"].append(seat)
                columns["agent"].append(self.entrants[entrant])
                columns["payoff"].append(game["payoffs"][seat])
                columns["plies"].append(game["plies"])
                for name in names:
                    value = facts.get(name)
                    columns[name].append(value[seat] if isinstance(value, list) else value)
        return columns

    def __len__(self) -> int:
        return len(self.games)

    def __str__(self) -> str:
        rows = [
            (
                entrant["agent"],
                str(entrant["seats"]),
                _interval(entrant["payoff"]["mean"], entrant["payoff"]["interval"]),
                _interval(entrant["wins"]["mean"], entrant["wins"]["interval"]),
            )
            for entrant in self.summary["entrants"]
        ]
        text = _grid(("agent", "seats", "mean payoff", "wins"), rows)
        rules = self.summary["rules"] or "standard rules"
        text += (
            f"\n{len(self)} games of {self.summary['game']} ({rules}), seed {self.summary['seed']}; "
            "intervals 95 %, by deal"
        )
        difference = self.summary.get("difference")
        if difference:
            interval = _interval(difference["difference"], difference["interval"])
            text += f"\ndifference of payoffs {interval}, paired by deal, p = {difference['test']['p']:.2g}"
        if self.sprt:
            text += f"\nSPRT: {self.sprt['decision']}, LLR {self.sprt['llr']:.2f}"
        return text

    def __repr__(self) -> str:
        return f"<oboro.MatchResult {' v '.join(self.entrants)}, {len(self)} games>"


class LeagueResult:
    """A round robin that was played."""

    def __init__(self, raw: dict[str, Any]) -> None:
        table = raw["table"]
        self.agents: list[str] = table["agents"]
        """Canonical specs, in the order given."""
        self.ranking: list[int] = raw["ranking"]
        """Their numbers, the strongest first."""
        self.ratings: list[dict[str, Any]] = table["ratings"]["players"]
        """Elo or, where payoffs count, payoffs, with 95 % intervals, one an agent, with mean 0. Payoffs of a single deal have
        no interval: it is None."""
        self.counts: str = table["ratings"]["counts"]
        """What counts: `outcomes` or `payoffs`."""
        self.meetings: list[list[dict[str, Any] | None]] = table["meetings"]
        """What each made against each other."""

    @property
    def _rating(self) -> str:
        return "elo" if self.counts == "outcomes" else "payoff"

    def to_dict(self) -> Columns:
        """One row an agent, the strongest first."""
        order = self.ranking
        return {
            "agent": [self.agents[i] for i in order],
            self._rating: [self.ratings[i][self._rating] for i in order],
            "low": [self._bound(i, "low") for i in order],
            "high": [self._bound(i, "high") for i in order],
        }

    def _bound(self, agent: int, side: str) -> float | None:
        interval: Mapping[str, float] | None = self.ratings[agent]["interval"]
        return None if interval is None else interval[side]

    def meetings_to_dict(self) -> Columns:
        """One row for every agent against every other."""
        columns: Columns = {
            key: []
            for key in ("agent", "opponent", "games", "deals", "share", "low", "high", "fair", "payoff")
        }
        for agent, row in zip(self.agents, self.meetings, strict=True):
            for opponent, meeting in zip(self.agents, row, strict=True):
                if meeting is None:
                    continue
                columns["agent"].append(agent)
                columns["opponent"].append(opponent)
                for key in ("games", "deals", "share", "fair", "payoff"):
                    columns[key].append(meeting[key])
                columns["low"].append(meeting["interval"]["low"])
                columns["high"].append(meeting["interval"]["high"])
        return columns

    def __str__(self) -> str:
        columns = self.to_dict()
        digits, unit = (0, "Elo") if self.counts == "outcomes" else (3, "payoff")
        rows = [
            (
                str(rank + 1),
                agent,
                f"{value:+.{digits}f}" + ("" if low is None else f" ({low:+.{digits}f} to {high:+.{digits}f})"),
            )
            for rank, (agent, value, low, high) in enumerate(zip(*columns.values(), strict=True))
        ]
        return _grid(("", "agent", f"{unit} (95 %)"), rows)

    def __repr__(self) -> str:
        return f"<oboro.LeagueResult of {len(self.agents)} agents>"
