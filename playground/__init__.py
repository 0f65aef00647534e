"""See word embeddings and attention: real vectors, every number in sight.

The public names are imported when they are first used, so `import playground` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playground.attention.functional import Attention as Attention
    from playground.attention.functional import scaled_dot_product_attention as scaled_dot_product_attention
    from playground.attention.functional import softmax as softmax
    from playground.attention.learned import HeadCard as HeadCard
    from playground.attention.multihead import MultiHeadAttention as MultiHeadAttention
    from playground.attention.multihead import MultiHeadSteps as MultiHeadSteps
    from playground.attention.positions import sinusoidal_positions as sinusoidal_positions
    from playground.context import Context as Context
    from playground.context import contextualize as contextualize
    from playground.errors import DownloadError as DownloadError
    from playground.errors import PlaygroundError as PlaygroundError
    from playground.errors import UnknownWordError as UnknownWordError
    from playground.plots.distortion import Distortion as Distortion
    from playground.plots.distortion import distortion as distortion
    from playground.plots.projection import Projection as Projection
    from playground.plots.projection import project as project
    from playground.words.analogy import Analogy as Analogy
    from playground.words.analogy import analogy as analogy
    from playground.words.analogy_details import Contributions as Contributions
    from playground.words.analogy_details import Expected as Expected
    from playground.words.analogy_details import Parallelogram as Parallelogram
    from playground.words.analogy_details import contributions as contributions
    from playground.words.analogy_details import parallelogram as parallelogram
    from playground.words.analogy_details import rank_of as rank_of
    from playground.words.axes import Axis as Axis
    from playground.words.axes import Placement as Placement
    from playground.words.axes import axis as axis
    from playground.words.axes import place as place
    from playground.words.catalog import Entry as Entry
    from playground.words.catalog import catalog as catalog
    from playground.words.catalog import load as load
    from playground.words.downloads import download as download
    from playground.words.forms import word_forms as word_forms
    from playground.words.lookup import Lookup as Lookup
    from playground.words.lookup import lookup as lookup
    from playground.words.neighbors import Neighbor as Neighbor
    from playground.words.neighbors import OddOneOut as OddOneOut
    from playground.words.neighbors import Overlap as Overlap
    from playground.words.neighbors import are_mutual as are_mutual
    from playground.words.neighbors import neighbors as neighbors
    from playground.words.neighbors import odd_one_out as odd_one_out
    from playground.words.neighbors import overlap as overlap
    from playground.words.neighbors import similarity as similarity
    from playground.words.neighbors import similarity_matrix as similarity_matrix
    from playground.words.readers.report import LoadReport as LoadReport
    from playground.words.scores import AnalogyScore as AnalogyScore
    from playground.words.scores import PairScore as PairScore
    from playground.words.scores import score_analogies as score_analogies
    from playground.words.scores import score_pairs as score_pairs
    from playground.words.tokens import embed as embed
    from playground.words.tokens import tokenize as tokenize

__version__ = "0.1.0"

_HOME = {
    "Analogy": "words.analogy",
    "AnalogyScore": "words.scores",
    "Attention": "attention.functional",
    "Axis": "words.axes",
    "Context": "context",
    "Contributions": "words.analogy_details",
    "Distortion": "plots.distortion",
    "DownloadError": "errors",
    "Entry": "words.catalog",
    "Expected": "words.analogy_details",
    "HeadCard": "attention.learned",
    "LoadReport": "words.readers.report",
    "Lookup": "words.lookup",
    "MultiHeadAttention": "attention.multihead",
    "MultiHeadSteps": "attention.multihead",
    "Neighbor": "words.neighbors",
    "OddOneOut": "words.neighbors",
    "Overlap": "words.neighbors",
    "PairScore": "words.scores",
    "Parallelogram": "words.analogy_details",
    "Placement": "words.axes",
    "PlaygroundError": "errors",
    "Projection": "plots.projection",
    "UnknownWordError": "errors",
    "analogy": "words.analogy",
    "are_mutual": "words.neighbors",
    "axis": "words.axes",
    "catalog": "words.catalog",
    "contextualize": "context",
    "contributions": "words.analogy_details",
    "distortion": "plots.distortion",
    "download": "words.downloads",
    "embed": "words.tokens",
    "load": "words.catalog",
    "lookup": "words.lookup",
    "neighbors": "words.neighbors",
    "odd_one_out": "words.neighbors",
    "overlap": "words.neighbors",
    "parallelogram": "words.analogy_details",
    "place": "words.axes",
    "project": "plots.projection",
    "rank_of": "words.analogy_details",
    "scaled_dot_product_attention": "attention.functional",
    "score_analogies": "words.scores",
    "score_pairs": "words.scores",
    "similarity": "words.neighbors",
    "similarity_matrix": "words.neighbors",
    "sinusoidal_positions": "attention.positions",
    "softmax": "attention.functional",
    "tokenize": "words.tokens",
    "word_forms": "words.forms",
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
