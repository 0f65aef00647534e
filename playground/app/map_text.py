"""What the map says in words: its answer, its formula, and why it is so."""

import streamlit as st

from playground.app import frame
from playground.plots.distortion import Distortion
from playground.plots.numbers import percent
from playground.plots.projection import Projection, perplexity_for

WHY_PCA = """
**PCA looks for the direction in which these words differ most**, then the next, at a right angle to the first.
Each word is then drawn at its place along these two directions (or three).

**The rest is thrown away.** A list of 100 numbers does not fit into two. The shares of variance say how much of
the words' differences the picture holds; often it is less than half. Two words that touch in the picture may be
far apart in the directions left out: the lines to the true neighbours (under Options) show which.

**The axes have no names.** They belong to this list of words: add a word, and they may turn. Their sign is
fixed by a rule (the largest loading is positive), so the picture does not flip by chance.
"""

WHY_TSNE = """
**t-SNE keeps neighbours, not distances.** It moves the points until words that are near in all their numbers are
near in the picture too. It pays for that with everything far away.

**There are no axes.** Left, right and the gaps between groups mean nothing. A group may look tight or loose
though its words are alike to the same degree. Only who is near whom can be read.

**Another seed, another picture.** t-SNE starts from PCA and improves it step by step. The seed makes the same
picture come back; try another under Options and see what stays.
"""


def map_answer(projection: Projection, n: int) -> str:
    """Return what the picture holds, in one sentence."""
    ratio = projection.explained_variance_ratio
    if ratio is None:
        return f"t-SNE tries to put each of {n} words beside the words that it is nearest to."
    if not ratio.any():
        return "There is no spread to draw."
    axes = "three" if len(ratio) == 3 else "two"
    return f"These {axes} axes hold {percent(float(ratio.sum()))} of the differences among {n} words."


def kept_sentence(found: Distortion | None) -> str:
    """Return how far the picture can be believed, in one sentence; nothing where it cannot be measured."""
    if found is None:
        return ""
    k, n = found.k, len(found.kept)
    chance = k * k / (n - 1)
    if k == 1:
        return f"Of {n} words, {round(found.mean * n)} have their true nearest word nearest in the picture too."
    return (
        f"The picture keeps {_amount(found.mean * k, k)} of each word's {k} truly nearest words, on average; "
        f"by chance it would be {_amount(chance, k)}."
    )


def word_notes(words: tuple[str, ...], found: Distortion | None) -> list[str] | None:
    """Return for each word, for its tooltip: how many neighbours the picture keeps, and the nearest of them."""
    if found is None:
        return None
    listed = nearest_words(words, found, 3)
    kept = [round(float(share) * found.k) for share in found.kept]
    return [f"truly nearest: {near}; {k} of {found.k} kept" for near, k in zip(listed, kept, strict=True)]


def nearest_words(words: tuple[str, ...], found: Distortion, most: int) -> list[str]:
    """Return for each word its nearest among `words` by cosine, as one text."""
    return [
        ", ".join(f"{words[j][:30]} {cosine:.2f}" for j, cosine in zip(row[:most], cosines[:most], strict=True))
        for row, cosines in zip(found.neighbors.tolist(), found.cosines.tolist(), strict=True)
    ]


def map_formula(projection: Projection, d: int) -> None:
    """Show the formula of the method, and for PCA the variance of each axis."""
    ratio = projection.explained_variance_ratio
    if ratio is None:
        st.latex(
            r"C = \sum_{i \neq j} p_{ij} \log \frac{p_{ij}}{q_{ij}}, \qquad "
            r"q_{ij} = \frac{(1 + \lVert z_i - z_j \rVert^2)^{-1}}"
            r"{\sum_{k \neq l} (1 + \lVert z_k - z_l \rVert^2)^{-1}}"
        )
        st.write(
            f"p says how near words i and j are in their {d} numbers, q how near their points z are in the picture. "
            "t-SNE moves the points until C, the difference of the two, is small. Each word counts about "
            f"{perplexity_for(len(projection.points)):.0f} others as near (the perplexity)."
        )
        return
    st.latex(r"Z = (X - \bar{x})\,A^{\top}")
    st.write(
        f"X holds the words, one a row of {d} numbers; x̄ is their mean. The rows of A are the principal axes: the "
        "directions of greatest variance, from the singular value decomposition of X − x̄. Z is what you see."
    )
    frame.table(
        {"axis": [f"PC {i + 1}" for i in range(len(ratio))], "share of the variance": ratio.tolist()},
        "the share of variance of each axis",
    )


def _amount(value: float, of: int) -> str:
    """Return a mean number with one decimal; "all" and "none" only where that is true."""
    if value in (0, of):
        return "none" if value == 0 else "all"
    for digits in (1, 2, 3):
        text = f"{value:.{digits}f}"
        if 0 < float(text) < of:
            return text
    return text
