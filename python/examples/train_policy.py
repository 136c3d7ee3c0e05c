"""Train a tiny policy in a minute on a CPU: REINFORCE with a linear policy, in NumPy alone, and pit it against others."""

import numpy as np
import numpy.typing as npt

import oboro

Floats = npt.NDArray[np.float32]


class Policy:
    """The probability of an action is a softmax over linear scores of the observation."""

    name = "linear"

    def __init__(self, numbering: oboro.Numbering) -> None:
        self.shape = numbering.observation
        self.weights: Floats = np.zeros((len(self.shape) + 1, numbering.actions), dtype=np.float32)

    def inputs(self, planes: npt.NDArray[np.uint8], features: npt.NDArray[np.uint8]) -> Floats:
        flat = (planes * self.shape.plane_scale).reshape(len(planes), -1)
        ones = np.ones((len(planes), 1), dtype=np.float32)
        return np.concatenate([flat, features * self.shape.feature_scale, ones], axis=1)

    def probabilities(self, inputs: Floats, masks: npt.NDArray[np.bool_]) -> Floats:
        scores = np.where(masks, inputs @ self.weights, -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances: Floats = powers / powers.sum(axis=1, keepdims=True)
        return chances

    def act_batch(self, views: list[oboro.View]) -> list[int]:
        """In matches it plays what it likes best, in all games that wait at once."""
        planes, features = np.stack([view.planes for view in views]), np.stack([view.features for view in views])
        chances = self.probabilities(self.inputs(planes, features), np.stack([view.mask for view in views]) > 0)
        return [int(best) for best in chances.argmax(axis=1)]


def train(steps: int, games: int = 256, rate: float = 0.05) -> Policy:
    """Plays against three agents at random; after a game every action in it is made more or less likely."""
    vec = oboro.vec("sevens", games, agents=[None, "random", "random", "random"], seed=1)
    policy, rng = Policy(vec.numbering), np.random.default_rng(1)
    played: list[list[tuple[Floats, Floats, int]]] = [[] for _ in range(games)]
    for _ in range(steps):
        inputs = policy.inputs(vec.observations, vec.features)
        chances = policy.probabilities(inputs, vec.masks)
        actions = (chances.cumsum(axis=1) > rng.random((games, 1)) * 0.999999).argmax(axis=1)
        for game, action in enumerate(actions):
            played[game].append((inputs[game], chances[game], int(action)))
        vec.step(actions)
        ended = vec.done.nonzero()[0]
        for game in ended:
            # Equals make 1 on average: what is above that is praised.
            praise = rate / len(ended) * (float(vec.rewards[game, 0]) - 1)
            seen = np.stack([inputs for inputs, _, _ in played[game]])
            change = -np.stack([chances for _, chances, _ in played[game]])
            change[np.arange(len(change)), [action for _, _, action in played[game]]] += 1
            policy.weights += praise * seen.T @ change
            played[game].clear()
    return policy


def main(steps: int = 1500, games: int = 400) -> oboro.MatchResult:
    policy = train(steps)
    result = oboro.match("sevens", [policy, "random", "random", "random"], games=games, seed=2)
    print(result)
    return result


if __name__ == "__main__":
    main()
