"""Learners of others take the environments as they are: MaskablePPO and Tianshou, where they are installed.

They bring PyTorch, gigabytes of it, so that our own test environment does not have them:

    pip install sb3-contrib tianshou
"""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("oboro.envs", reason="needs Gymnasium and PettingZoo: pip install 'oboro[envs]'")

from oboro import envs  # noqa: E402

GAMES = ["geister", "labyrinth", "saboteur", "sevens"]


@pytest.mark.parametrize("name", GAMES)
def test_maskable_ppo_trains_without_an_adapter(name: str) -> None:
    sb3 = pytest.importorskip("sb3_contrib", reason="MaskablePPO is not installed: pip install sb3-contrib")
    # What is illegal raises: a learner that forgot the mask would end here.
    env = envs.gym(name, opponents="random", flat=True, truncation=100, illegal=None)
    model = sb3.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(total_timesteps=128)
    assert any((old != new).any() for old, new in zip(before, model.policy.parameters(), strict=True)), "it learned something"
    seen, _ = env.reset(seed=2)
    action, _ = model.predict(seen, action_masks=env.action_masks())
    assert env.action_masks()[int(action)]


@pytest.mark.parametrize("name", GAMES)
def test_tianshou_wraps_the_environment_of_all_seats(name: str) -> None:
    pytest.importorskip("tianshou", reason="Tianshou is not installed: pip install tianshou")
    from tianshou.env.pettingzoo_env import PettingZooEnv

    env = PettingZooEnv(envs.aec(name, flat=True))
    seen, _ = env.reset(seed=1)
    shape = env.observation_space["observation"].shape
    rng, over = np.random.default_rng(1), False
    for _ in range(3000):
        assert seen["obs"].dtype == np.float32 and seen["obs"].any() and seen["obs"].shape == shape
        seen, rewards, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(seen["mask"]))))
        over = terminated or truncated
        if over:
            break
    assert over and any(rewards)


@pytest.mark.parametrize("name", GAMES)
def test_tianshou_trains_all_seats(name: str) -> None:
    pytest.importorskip("tianshou", reason="Tianshou is not installed: pip install tianshou")
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.torch_utils import policy_within_training_step

    def make() -> PettingZooEnv:
        return PettingZooEnv(envs.aec(name, flat=True, truncation=100))

    def learner() -> DQN:
        net = Net(
            state_shape=env.observation_space["observation"].shape, action_shape=env.action_space.n, hidden_sizes=[32]
        )
        policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=1.0)
        return DQN(policy=policy, optim=AdamOptimizerFactory())

    env = make()
    learners = MultiAgentOffPolicyAlgorithm(algorithms=[learner() for _ in env.agents], env=env)
    before = [parameter.detach().clone() for parameter in learners.policy.parameters()]
    collector = Collector(learners, DummyVectorEnv([make, make]), VectorReplayBuffer(1000, 2), exploration_noise=True)
    # What is illegal raises: a learner that forgot the mask would end here.
    with policy_within_training_step(learners.policy):
        collector.reset()
        collected = collector.collect(n_step=256)
        learners.update(collector.buffer, 64)
    assert collected.n_collected_steps >= 256
    assert any((old != new).any() for old, new in zip(before, learners.policy.parameters(), strict=True)), "it learned something"
