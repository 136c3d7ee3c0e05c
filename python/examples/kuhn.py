"""A game of your own: Kuhn poker in forty lines, then solved, played and measured."""

from itertools import permutations
from typing import Any

import oboro

State = tuple[tuple[str, ...], tuple[str, ...]]


class Kuhn:
    """Three cards, one for each of two players, who may bet once."""

    seats = 2
    actions = ["pass", "bet"]
    payoff_sum = 0.0
    payoff_range = 4.0
    observation = {"card": 2, "first": 2, "second": 2}  # what a learner sees: names and largest values

    def deals(self) -> list[tuple[float, State]]:
        return [(1 / 6, (cards, ())) for cards in permutations("JQK", 2)]

    def to_act(self, state: State) -> int | None:
        _, played = state
        is_over = len(played) > 2 or (len(played) == 2 and played != ("pass", "bet"))
        return None if is_over else len(played) % 2

    def legal(self, state: State) -> list[str]:
        return self.actions

    def apply(self, state: State, action: str) -> State:
        cards, played = state
        return cards, (*played, action)

    def view(self, state: State, seat: int) -> tuple[str, tuple[str, ...]]:
        cards, played = state
        return cards[seat], played

    def payoff(self, state: State, seat: int) -> float:
        cards, played = state
        if played[-2:] == ("bet", "pass"):  # the one who did not fold wins the ante
            return 1.0 if seat == (len(played) - 2) % 2 else -1.0
        stake = 2.0 if "bet" in played else 1.0
        return stake if cards[seat] == max(cards, key="JQK".index) else -stake

    def encode(self, view: tuple[str, tuple[str, ...]], seat: int) -> list[int]:
        card, played = view
        return ["JQK".index(card), *(1 + self.actions.index(action) for action in played), 0, 0][:3]


class Cautious:
    """Bets with the king alone."""

    def act(self, view: oboro.View) -> str:
        return "bet" if "K" in view.scene["sight"]["view"] else "pass"


def main(games: int = 1000) -> tuple[oboro.Strategy, oboro.MatchResult]:
    strategy: Any = oboro.solve(Kuhn, "cfr+", 1000)
    print(f"exploitability {strategy.exploitability:.6f}, payoffs {strategy.payoffs}")
    print(f"uniform play: {oboro.exploitability(Kuhn, 'random'):.6f}")
    result = oboro.match(Kuhn, [strategy, Cautious], games=games)
    print(result)
    print(oboro.match(Kuhn, ["ismcts:100", Cautious], games=games // 10))
    return strategy, result


if __name__ == "__main__":
    main()
