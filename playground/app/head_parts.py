"""The parts of the view of several heads: maps, outputs, one taken away, compared, one big projection."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.attention_scene import Scene, draw, extent_of
from playground.app.state import fill
from playground.app.thumbnails import Picture, Thumbnail, thumbnails
from playground.attention.compare import (
    big_projection,
    entropy,
    head_contributions,
    head_differences,
    without_head,
)
from playground.plots.charts import bars, heatmap, strips
from playground.plots.numbers import decimals, percent

SMALL = 92  # pixels of a small map


def show_part(scene: Scene, part: str) -> None:
    """Show one part of the view."""
    PARTS[part](scene)


def _maps(scene: Scene) -> None:
    weights, tokens = scene.now.steps.weights, scene.tokens
    h, n, _ = weights.shape
    bits = entropy(weights)
    _small_maps(scene)
    st.markdown(f"**Head {scene.head + 1}, enlarged**: {n} × {n} weights, queries down, keys across")
    frame.chart(draw(scene, "weights"), f"The weights of head {scene.head + 1}. Rows are queries, columns are keys.")
    best = weights[:, scene.query].argmax(axis=-1)
    st.markdown("**Where each head looks from the chosen word**")
    frame.table(
        {
            "head": list(range(1, h + 1)),
            "looks most at": [tokens[int(i)] for i in best],
            "weight": [float(weights[i, scene.query, best[i]]) for i in range(h)],
            "entropy, this word": [float(value) for value in bits[:, scene.query]],
            "entropy, all words": [float(value) for value in bits.mean(axis=1)],
        },
        "where each head looks from the chosen word",
    )
    st.caption(
        f"Entropy, in bits: 0 is a look at one word only, {decimals(float(np.log2(n)), 2)} (log₂ {n}) one at all alike."
    )


def head_name(scene: Scene, head: int) -> str:
    """Return what a learned head was taught, or the number of another one."""
    cards = scene.now.layer.heads
    return f"{head + 1}: {cards[head].name}" if cards else f"head {head + 1}"


def _small_maps(scene: Scene) -> None:
    weights = scene.now.steps.weights
    bits = entropy(weights).mean(axis=1)
    size = SMALL if len(weights) <= 8 else 72
    items = [
        Thumbnail(
            head_name(scene, i),
            [Picture(one, "weights", f"small map of the weights of head {i + 1}", size, size)],
            f"{decimals(float(bits[i]), 2)} bits",
        )
        for i, one in enumerate(weights)
    ]
    thumbnails(
        "small_maps",
        items,
        lambda index: fill({"many_head": index + 1}),
        label="all heads: choose one to enlarge",
        chosen=scene.head,
    )


def _outputs(scene: Scene) -> None:
    run, tokens = scene.now, scene.tokens
    layer, steps = run.layer, run.steps
    n, h, d_v, d_model = len(tokens), layer.num_heads, layer.d_v, layer.d_model
    st.write(
        f"Each head hands over {d_v} numbers a word. Side by side they are {h}·{d_v} = {h * d_v}; "
        f"W_O, {h * d_v} × {d_model}, mixes them into {d_model} again."
    )
    extent = extent_of(steps.concat, steps.output)
    st.markdown(f"**Output of head {scene.head + 1}**: {n} × {d_v}, (n, d_v)")
    frame.chart(
        strips(steps.heads[scene.head], tokens, extent=extent, legend=False, tallest=130), "the output of the head"
    )
    first, last = scene.head * d_v + 1, (scene.head + 1) * d_v
    st.markdown(f"**Concat**: {n} × {h * d_v}, (n, h·d_v); head {scene.head + 1} is columns {first} to {last}")
    frame.chart(strips(steps.concat, tokens, extent=extent, legend=False, tallest=130), "the heads side by side")
    st.markdown(f"**Output = Concat · W_O**: {n} × {d_model}, (n, d_model)")
    frame.chart(strips(steps.output, tokens, extent=extent, tallest=130), "the output of the layer")


def _taken_away(scene: Scene) -> None:
    run, tokens, head = scene.now, scene.tokens, scene.head
    contributions = head_contributions(run.layer, run.steps)  # (h, n, d_model)
    without = without_head(run.layer, run.steps, head)
    change = run.steps.output - without
    lengths = np.linalg.norm(change, axis=1)
    whole = np.linalg.norm(run.steps.output, axis=1)
    word = tokens[scene.query]
    st.write(
        f"Head {head + 1} is taken away: its columns of the concat become 0. The output loses that head's part, "
        "and nothing else changes."
    )
    share = float(lengths[scene.query] / whole[scene.query]) if whole[scene.query] else 0.0
    st.text(f"The output of {word} moves by {decimals(float(lengths[scene.query]))}, {percent(share)} of its length.")
    extent = extent_of(run.steps.output, without)
    for title, matrix in (
        ("The output with all heads", run.steps.output),
        (f"Without head {head + 1}", without),
        ("The difference", change),
    ):
        st.markdown(f"**{title}**")
        frame.chart(strips(matrix, tokens, extent=extent, legend=matrix is change, tallest=110), f"{title}, as strips")
    st.markdown("**How far the chosen word's output moves without each head**")
    each = np.linalg.norm(contributions[:, scene.query], axis=1)
    frame.chart(
        bars(
            [head_name(scene, i) for i in range(len(each))],
            each.tolist(),
            "length of the change",
            strong=[i == head for i in range(len(each))],
        ),
        "how far the output moves without each head",
    )


def _compared(scene: Scene) -> None:
    weights, tokens = scene.now.steps.weights, scene.tokens
    h, n, _ = weights.shape
    apart = head_differences(weights)
    names = [head_name(scene, i) for i in range(h)]
    st.write(
        "How much two heads differ: the share of a word's weight that they give to different words, "
        "averaged over all words. 0 is the same look, 1 nothing in common."
    )
    frame.chart(
        heatmap(apart, names, names, "weights", chosen=scene.head, value_name="difference", colored=False),
        "the difference of each pair of heads",
    )
    st.write(
        f"Entropy of each row, in bits: 0 is a look at one word only, {decimals(float(np.log2(n)), 2)} = log₂ {n} "
        "a look at all words alike."
    )
    bits = entropy(weights)
    frame.chart(
        heatmap(
            bits.T,
            tokens,
            names,
            "signed",
            value_name="bits",
            colored="rows",
            extent=float(np.log2(n)) or 1.0,
            legend=False,
        ),
        "the entropy of each word's row in each head",
    )


def _big(scene: Scene) -> None:
    run = scene.now
    layer, x = run.layer, run.steps.x
    n, d_model = x.shape
    h, d_k = layer.num_heads, layer.d_k
    big = big_projection(x, layer.w_q)
    st.latex(r"X\,[\,W_Q^1 \mid W_Q^2 \mid \cdots \mid W_Q^h\,] = [\,Q^1 \mid Q^2 \mid \cdots \mid Q^h\,]")
    st.write(
        f"Programs multiply once: X, {n} × {d_model}, times all heads' W_Q side by side, {d_model} × {h}·{d_k}. "
        f"The product, {n} × {h * d_k}, is then cut into {h} heads."
    )
    frame.table(
        {
            "way": [
                f"{h} small projections, {d_model} × {d_k} each",
                "one big projection, cut into heads: (n, h·d_k) → (n, h, d_k) → (h, n, d_k)",
                "a common mistake: (n, h·d_k) → (h, n, d_k) by reshaping only",
            ],
            "largest difference from the small ones": [0.0, big.difference, big.reshaped_difference],
        },
        "small projections, a big one, and a mistake, compared",
    )
    _verdict(big.difference, big.reshaped_difference, h)
    st.markdown(f"**The product, with the {h} heads side by side**")
    frame.chart(strips(big.product, scene.tokens, tallest=160), "the product of X with all heads' W_Q")
    st.markdown(f"**Head {scene.head + 1} of it**: columns {scene.head * d_k + 1} to {(scene.head + 1) * d_k}")
    frame.chart(
        strips(big.heads[scene.head], scene.tokens, extent=extent_of(big.product), tallest=160), "one head of it"
    )


def _verdict(difference: float, mistaken: float, heads: int) -> None:
    same = "exactly the same numbers" if difference == 0 else f"the same numbers to {difference:.0e} (rounding)"
    said = f"Both ways give {same}."
    if heads > 1:
        said += (
            f" Reshaping without exchanging the axes is off by {decimals(mistaken)}: it mixes words with heads."
            if mistaken > 1e-6
            else " With one word, reshaping alone happens to give the same."
        )
    st.text(said)


PARTS: dict[str, Callable[[Scene], None]] = {
    "all heads": _maps,
    "concat and W_O": _outputs,
    "take one away": _taken_away,
    "compare": _compared,
    "one big projection": _big,
}
