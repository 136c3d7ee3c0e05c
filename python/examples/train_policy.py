"""Train a tiny policy in a minute on a CPU: REINFORCE with a linear policy, in NumPy alone, and pit it against others."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait for each other

import numpy as np
import numpy.typing as npt

import oboro

Floats = npt.NDArray[np.float32]


class Linear:
    """The probability of an action is a softmax over linear scores of what the seat sees: its hand, and what can be laid."""

    def __init__(self, layout: oboro.EncodingLayout) -> None:
        names = [channel.name for channel in layout.observation.planes]
        self.channels = [names.index("hand"), names.index("playable")]
        self.weights: Floats = np.zeros((2 * 52 + 1, layout.actions), dtype=np.float32)

    def inputs(self, planes: npt.NDArray[np.uint8]) -> Floats:
        flat = planes[:, self.channels].reshape(len(planes), -1)
        return np.concatenate([flat, np.ones((len(planes), 1))], axis=1).astype(np.float32)

    def chances(self, inputs: Floats, masks: npt.NDArray[np.bool_]) -> Floats:
        scores = np.where(masks, inputs @ self.weights, -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances: Floats = powers / powers.sum(axis=1, keepdims=True)
        return chances

    def act_batch(self, views: list[oboro.View]) -> list[int]:
        """In matches it plays what it likes best, in all games that wait at once."""
        inputs = self.inputs(np.stack([view.planes for view in views]))
        chances = self.chances(inputs, np.stack([view.mask for view in views]) > 0)
        return [int(best) for best in chances.argmax(axis=1)]


def train(rounds: int, games: int = 256, steps: int = 40, rate: float = 30.0) -> Linear:
    """Plays against three agents at random; every action is then made more likely by what its game paid above the mean."""
    vec = oboro.vec("sevens", games, agents=[None, "random", "random", "random"], seed=1)
    policy, rng = Linear(vec.layout), np.random.default_rng(1)
    for _ in range(rounds):
        played = []
        for _ in range(steps):
            inputs = policy.inputs(vec.observations)
            chances = policy.chances(inputs, vec.masks)
            # The most likely action after noise of Gumbel's shape is one drawn by these chances.
            with np.errstate(divide="ignore"):
                actions = (np.log(chances) + rng.gumbel(size=chances.shape)).argmax(axis=1)
            vec.step(actions)
            push = np.eye(vec.layout.actions, dtype=np.float32)[actions] - chances
            played.append((inputs, push, vec.rewards[:, 0].copy(), vec.done > 0))
        # From the last step back: what the game of an action paid, where it has ended.
        worth = np.zeros(games, dtype=np.float32)
        for inputs, push, reward, ended in reversed(played):
            worth = np.where(ended, reward - 1, worth)  # equals make 1
            policy.weights += rate / (games * steps) * inputs.T @ (push * worth[:, None])
    return policy


def main(rounds: int = 100, games: int = 400) -> oboro.MatchResult:
    policy = train(rounds)
    result = oboro.match("sevens", [policy, "random", "random", "random"], games=games, seed=2)
    print(result)
    return result


if __name__ == "__main__":
    main()
