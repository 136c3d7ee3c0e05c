"""Your first agent: a class with one method, in a match and in a league."""

import oboro


class Miser:
    """Holds cards near the sevens back for as long as it can."""

    def act(self, view: oboro.View) -> str:
        def distance(action: str) -> int:
            return 1 if action == "pass" else abs("A23456789TJQK".index(action[1]) - 6)

        return max(view.actions, key=distance)


def main(games: int = 400) -> oboro.LeagueResult:
    print(oboro.match("sevens", [Miser, "rule", "rule", "rule"], games=games, seed=1))
    league = oboro.league("sevens", [Miser, "random", "rule", "eval"], games=games, seed=1)
    print(league)
    return league


if __name__ == "__main__":
    main()
