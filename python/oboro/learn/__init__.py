"""Players that learn by playing against themselves.

``python -m oboro.learn train run.toml`` trains a policy for a two-player game on the engine's batches
(:func:`oboro.vec`); ``python -m oboro.learn score`` plays a trained policy against named agents. Needs the extra
``learn`` (JAX): ``pip install './python[learn]'``.
"""

from .config import Config
from .net import Net
from .tensors import load, save

__all__ = ["Config", "Net", "load", "save"]
