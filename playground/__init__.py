"""See word embeddings and attention: real vectors, every number in sight.

The public names are imported when they are first used, so `import playground` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playground.attention.functional import Attention as Attention
    from playground.attention.functional import scaled_dot_product_attention as scaled_dot_product_attention
    from playground.attention.functional import softmax as softmax
    from playground.attention.multihead import MultiHeadAttention as MultiHeadAttention
    from playground.attention.multihead import MultiHeadSteps as MultiHeadSteps
    from playground.attention.positions import sinusoidal_positions as sinusoidal_positions
    from playground.errors import PlaygroundError as PlaygroundError
    from playground.errors import UnknownWordError as UnknownWordError
    from playground.plots.projection import Projection as Projection
    from playground.plots.projection import project as project
    from playground.words.analogy import Analogy as Analogy
    from playground.words.analogy import analogy as analogy
    from playground.words.catalog import Entry as Entry
    from playground.words.catalog import catalog as catalog
    from playground.words.catalog import load as load
    from playground.words.lookup import Lookup as Lookup
    from playground.words.lookup import lookup as lookup
    from playground.words.neighbors import Neighbor as Neighbor
    from playground.words.neighbors import neighbors as neighbors
    from playground.words.neighbors import similarity as similarity
    from playground.words.neighbors import similarity_matrix as similarity_matrix
    from playground.words.tokens import embed as embed
    from playground.words.tokens import tokenize as tokenize

__version__ = "0.1.0"

_HOME = {
    "Analogy": "words.analogy",
    "Attention": "attention.functional",
    "Entry": "words.catalog",
    "Lookup": "words.lookup",
    "MultiHeadAttention": "attention.multihead",
    "MultiHeadSteps": "attention.multihead",
    "Neighbor": "words.neighbors",
    "PlaygroundError": "errors",
    "Projection": "plots.projection",
    "UnknownWordError": "errors",
    "analogy": "words.analogy",
    "catalog": "words.catalog",
    "embed": "words.tokens",
    "load": "words.catalog",
    "lookup": "words.lookup",
    "neighbors": "words.neighbors",
    "project": "plots.projection",
    "scaled_dot_product_attention": "attention.functional",
    "similarity": "words.neighbors",
    "similarity_matrix": "words.neighbors",
    "sinusoidal_positions": "attention.positions",
    "softmax": "attention.functional",
    "tokenize": "words.tokens",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'playground' has no attribute {name!r}")
    value = getattr(import_module(f"playground.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_HOME, "__version__"])
