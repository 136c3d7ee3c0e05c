"""Read a league into pandas and plot it."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd

import oboro


def main(picture: str = "league.png", games: int = 200) -> pd.DataFrame:
    league = oboro.league("sevens", ["random", "rule", "eval", "mc:20"], games=games, seed=1)
    table = pd.DataFrame(league.to_dict())
    print(table)
    errors = [table.elo - table.low, table.high - table.elo]
    plt.figure(figsize=(5, 3))
    plt.errorbar(table.elo, table.agent, xerr=errors, fmt="o")
    plt.xlabel("Elo with 95 % intervals")
    plt.tight_layout()
    plt.savefig(picture)
    return table


if __name__ == "__main__":
    main()
