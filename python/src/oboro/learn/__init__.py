"""Players that learn by playing against themselves.

``python -m oboro.learn train run.toml folder`` trains a policy for a game on the engine's batches (:func:`oboro.vec`); ``game = "NAME"`` is all
that a run needs. ``score`` plays a trained policy against others, and ``exploit`` trains opponents of it. :class:`Policy` gives
the probabilities of a trained net; the engine plays it as the agent ``net:FILE``.
Needs the extra ``learn`` (JAX, optax, safetensors): ``pip install 'oboro[learn]'``, and Python 3.11 or newer.
"""

import sys

if sys.version_info < (3, 11):
    raise ImportError("oboro.learn needs Python 3.11 or newer, and JAX: pip install 'oboro[learn]'")
try:
    import jax  # noqa: F401
    import optax  # noqa: F401
    import safetensors  # noqa: F401
except ImportError as error:
    raise ImportError(f"oboro.learn needs JAX, optax and safetensors: pip install 'oboro[learn]' ({error})") from error

from .config import Config
from .net import Net
from .player import Policy
from .tensors import load, save

__all__ = ["Config", "Net", "Policy", "load", "save"]
