"""An AlphaZero-like loop for any game: play by search with a net, let the net learn what the search found, begin again."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait for each other

import numpy as np
import numpy.typing as npt

import oboro

Floats = npt.NDArray[np.float64]


def inputs(views: list[oboro.View]) -> Floats:
    rows = [np.concatenate([view.planes.ravel(), view.features, [1]]) for view in views]
    return np.stack(rows) / 8


class Net:
    """The simplest one: linear scores of actions, and linear payoffs of all seats."""

    def __init__(self, game: oboro.Game) -> None:
        size = inputs([game.new_game(seed=1).view(0)]).shape[1]
        self.actions: Floats = np.zeros((size, oboro.layout(game).actions))
        self.payoffs: Floats = np.zeros((size, game.seats))

    def __call__(self, views: list[oboro.View]) -> tuple[Floats, Floats]:
        seen, masks = inputs(views), np.stack([view.mask for view in views]) > 0
        scores = np.where(masks, seen @ self.actions, -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True), seen @ self.payoffs

    def learn(self, views: list[oboro.View], found: list[oboro.SearchResult], payoffs: Floats, rate: float) -> None:
        policies, values = self(views)
        wanted = np.zeros_like(policies)
        for row, (view, result) in enumerate(zip(views, found, strict=True)):
            for action, share in result.policy.items():
                wanted[row, view.number(action)] = share
        seen = inputs(views)
        self.actions += rate * seen.T @ (wanted - policies) / len(views)
        self.payoffs += rate * seen.T @ (payoffs - values) / len(views)

    def act(self, view: oboro.View) -> str:
        return oboro.search(view, self, 50).best


def main(name: str = "phantom-ttt", games: int = 200, judged: int = 100, seed: int = 1) -> oboro.MatchResult:
    game = oboro.game(name)
    net, rng = Net(game), np.random.default_rng(seed)
    for number in range(games):
        live, views, found = game.new_game(seed=number), [], []
        while live.to_act is not None:
            view = live.view(live.to_act)
            views.append(view)
            found.append(oboro.search(view, net, 50, seed=int(rng.integers(2**62))))
            policy = found[-1].policy
            live.play(str(rng.choice(list(policy), p=list(policy.values()))))
        assert live.outcome is not None
        net.learn(views, found, np.tile(live.outcome["payoffs"], (len(views), 1)), rate=1.0)
    result = oboro.match(game, [net, *["random"] * (game.seats - 1)], games=judged, seed=2)
    print(result)
    return result


if __name__ == "__main__":
    main()
