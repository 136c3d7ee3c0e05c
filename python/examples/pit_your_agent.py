"""Pit your agent: ten lines against everything there is, with an answer that counts."""

import oboro


class Miser:
    """Keeps cards near the seven back for as long as it can."""

    def act(self, view: oboro.View) -> str:
        def distance(action: str) -> int:
            return -1 if action == "pass" else abs("A23456789TJQK".index(action[1]) - 6)

        return max(view.actions, key=distance)


def main(games: int = 400) -> oboro.MatchResult:
    result = oboro.match("sevens", [Miser, "rule", "random", "random"], games=games, seed=1)
    print(result)
    return result


if __name__ == "__main__":
    main()
