"""Players that learn by playing against themselves.

``python -m oboro.learn train run.toml`` trains a policy for a two-player game on the engine's batches
(:func:`oboro.vec`); ``python -m oboro.learn score`` plays a trained policy against named agents. Needs the extra
``learn`` (JAX): ``pip install 'oboro[learn]'``, and Python 3.11 or newer.
"""

import sys

if sys.version_info < (3, 11):
    raise ImportError("oboro.learn needs Python 3.11 or newer, and JAX: pip install 'oboro[learn]'")
try:
    import jax  # noqa: F401
except ImportError as error:
    raise ImportError(f"oboro.learn needs JAX: pip install 'oboro[learn]' ({error})") from error

from .config import Config
from .net import Net
from .tensors import load, save

__all__ = ["Config", "Net", "load", "save"]
