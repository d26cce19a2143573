"""The vocabulary of short games: `from bartizan.short import *` (docs/short-games.md)."""

from bartizan.simcore.short.components import *  # noqa: F403
from bartizan.simcore.short.components import __all__ as _components
from bartizan.simcore.short.words import *  # noqa: F403
from bartizan.simcore.short.words import __all__ as _words

__all__ = [*_components, *_words]
