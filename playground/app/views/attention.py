"""What does a word look at?"""

import math

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.attention_steps import STEPS, Scene, show_step
from playground.app.chips import chips
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.sentence import Sentence, read_sentence
from playground.app.state import by_language, fill, model_name, settled
from playground.attention.functional import softmax
from playground.attention.multihead import MultiHeadAttention
from playground.attention.positions import sinusoidal_positions
from playground.export.python import attention_code
from playground.plots.colors import token_hue
from playground.plots.numbers import decimals

IDENTITY, RANDOM = "identity", "random"
MOST_HEADS = 12
DEFAULTS = {"sentence": "apple company invented phones", "sentence_zh": "苹果公司发明了手机"}
PRESETS = {
    "sentence": (
        ("the bank of the river", "the bank of the river"),
        ("she ate an apple pie", "she ate an apple pie"),
        ("john hit mary, with positions", "john hit mary"),
        ("one that fails: word order", "mary hit john"),
    ),
    "sentence_zh": (
        ("小明喜欢吃苹果", "小明喜欢吃苹果"),
        ("银行在河边", "银行在河边"),
    ),
}

WHY = """
**Attention asks: which other words matter for this one?** The query of a word is compared with the key of every
word. The better they match, the greater the weight. The output is the average of the values, by these weights.

**With identity projections a word looks mostly at itself.** Query and key are then the same vector, and nothing
is as similar to a word as the word itself. You see plain similarity, no learning.

**Random projections are an untrained layer.** Where it looks has no meaning. A Transformer starts like this and
learns its projections from billions of sentences.

**Without positions, order is lost.** Each output is the same whatever the order of the words. Adding sines and
cosines gives every place its own mark.
"""


def show() -> None:
    frame.question(
        "What does a word look at?",
        "Every word of a sentence compares itself with all the others, and takes over a little of each.",
    )
    key, model = by_language("sentence"), model_name()
    vectors = vectors_of(model)
    typed = st.text_input("Sentence", value=DEFAULTS[key], key=key, bind="query-params", max_chars=5000)
    text, sentence, error = settled(key, typed, DEFAULTS[key], lambda words: read_sentence(vectors, words))
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    layer, positions, projections = _layer_inputs(sentence)
    query = _query(key, sentence)

    x = sentence.x.astype(np.float64)  # a weight of 0.9999999998 is 1 in float32
    added = sinusoidal_positions(*x.shape) if positions else None
    steps = layer(x if added is None else x + added)
    head = _head(layer.num_heads)
    row = steps.weights[head, query]
    sentence_said = _sentence(sentence.tokens, query, row)
    frame.answer(sentence_said, *sentence.notes, _untrained(projections), _one_sided(steps.scaled[head, query], row))
    scene = Scene(sentence.tokens, query, head, layer, steps, x, added)
    _stepper(scene, sentence_said)
    st.markdown("**The chosen word's row, in numbers**")
    scores, scaled = steps.scores[head, query], steps.scaled[head, query]
    exponentials = np.exp(scaled - scaled.max())
    frame.table(
        {
            "looks at": sentence.tokens,
            "score q·k": scores.astype(float).tolist(),
            "÷ √d_k": scaled.astype(float).tolist(),
            "e^(scaled − max)": exponentials.astype(float).tolist(),
            "weight": row.astype(float).tolist(),
        },
        sentence_said,
    )
    st.caption(
        f"√d_k = √{layer.d_k} = {math.sqrt(layer.d_k):.3f}. The exponentials add to {exponentials.sum():.3f}; "
        f"each divided by that gives the weights, which add to {softmax(scaled).sum():.3f}."
    )
    frame.explanations(
        formula=lambda: _formula(scene),
        python=attention_code(
            model, sentence.tokens, layer.num_heads, projections, st.session_state["seed"], positions
        ),
        picture=_all_weights(scene),
        why=WHY,
    )
    presets = [
        Preset(label, {key: value, "positions": "positions" in label, key + "_query": 1})
        for label, value in PRESETS[key]
    ]
    frame.try_next("attention", presets)
    frame.footer(
        {
            key: text,
            "projections": projections,
            "heads": layer.num_heads,
            "seed": st.session_state["seed"],
            "positions": positions,
            "head": head + 1,
            key + "_query": query + 1,
        }
    )


def _layer_inputs(sentence: Sentence) -> tuple[MultiHeadAttention, bool, str]:
    one, two, three, four = st.columns([2, 1.2, 1.2, 1.6], vertical_alignment="bottom")
    projections = one.segmented_control(
        "Projections",
        [IDENTITY, RANDOM],
        default=IDENTITY,
        required=True,
        key="projections",
        bind="query-params",
        help="W_Q, W_K and W_V turn a word into its query, key and value. Identity leaves it as it is.",
    )
    heads = two.number_input("Heads", 1, MOST_HEADS, 1, key="heads", bind="query-params")
    seed = three.number_input(
        "Seed",
        0,
        9999,
        0,
        key="seed",
        bind="query-params",
        disabled=projections == IDENTITY,
        help="Another seed, other random projections.",
    )
    positions = four.toggle(
        "Add positions", key="positions", bind="query-params", help="Adds a sine and cosine pattern for each place."
    )
    d_model = sentence.x.shape[1]
    if projections == RANDOM:
        return MultiHeadAttention.random(d_model, heads, seed=seed), positions, projections
    return MultiHeadAttention.identity(d_model, heads), positions, projections


def _query(key: str, sentence: Sentence) -> int:
    """Show the tokens to click, and return the place of the chosen one among those with a vector."""
    places = np.cumsum(sentence.known) - 1
    n, name = len(sentence.tokens), key + "_query"
    if not 1 <= st.session_state.get(name, 1) <= n:
        st.session_state[name] = 1  # the sentence has become shorter

    def pick(index: int) -> None:
        fill({name: int(places[index]) + 1})

    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with right:
        chosen = st.number_input("Query word, number", 1, n, 1, key=name, bind="query-params") - 1
    with left:
        shown = [i for i, place in enumerate(places) if place < n or not sentence.known[i]]
        chips(
            "query_chips",
            [sentence.typed[i] for i in shown],
            pick,
            label="the words of the sentence: choose the query",
            hues=[token_hue(int(places[i])) if sentence.known[i] else "" for i in shown],
            off=[not sentence.known[i] for i in shown],
            hints=["" if sentence.known[i] else "no vector" for i in shown],
            chosen=next(i for i in shown if sentence.known[i] and places[i] == chosen),
        )
    return int(chosen)


def _head(heads: int) -> int:
    if heads == 1:
        return 0
    if not 1 <= st.session_state.get("head", 1) <= heads:
        st.session_state["head"] = 1
    options = list(range(1, heads + 1))
    chosen = st.segmented_control("Head shown", options, default=1, required=True, key="head", bind="query-params")
    return int(chosen) - 1


def _stepper(scene: Scene, said: str) -> None:
    names = [name for name in STEPS if scene.layer.num_heads > 1 or name not in ("concat", "W_O")]
    if st.session_state.get("step", "softmax") not in names:
        st.session_state["step"] = "softmax"

    def move(by: int) -> None:
        place = names.index(st.session_state.get("step") or "softmax")
        fill({"step": names[(place + by) % len(names)]})

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Previous", on_click=move, args=(-1,), shortcut="Left", key="step_back")
        st.button("Next", on_click=move, args=(1,), shortcut="Right", key="step_on")
        step = st.pills(
            "The chain, step by step",
            names,
            default="softmax",
            required=True,
            key="step",
            bind="query-params",
            label_visibility="collapsed",
        )
    show_step(scene, step, said)


def _sentence(tokens: list[str], query: int, weights: np.ndarray) -> str:
    if len(tokens) == 1:
        return f"{tokens[0]} is alone: it can only look at itself (1)."
    order = np.argsort(-weights, kind="stable")
    named = [("itself" if i == query else tokens[i], decimals(float(weights[i]), 2)) for i in order[:2]]
    return f"{tokens[query]} looks most at {named[0][0]} ({named[0][1]}), then at {named[1][0]} ({named[1][1]})."


def _one_sided(scaled: np.ndarray, weights: np.ndarray) -> str:
    if len(weights) == 1 or weights.max() < 0.99:
        return ""
    second, first = np.sort(scaled)[-2:]
    return (
        f"Its best scaled score is {first - second:.1f} above the next, so softmax leaves the others almost nothing: "
        "long vectors make large scores."
    )


def _untrained(projections: str) -> str:
    return (
        "These projections are random: an untrained layer. Where it looks has no meaning."
        if projections == RANDOM
        else ""
    )


def _all_weights(scene: Scene) -> dict[str, list[object]]:
    tokens, weights = scene.tokens, scene.steps.weights
    places = list(np.ndindex(*weights.shape))
    return {
        "head": [h + 1 for h, _, _ in places],
        "query": [f"{i + 1}. {tokens[i]}" for _, i, _ in places],
        "key": [f"{j + 1}. {tokens[j]}" for _, _, j in places],
        "weight": [float(weights[place]) for place in places],
    }


def _formula(scene: Scene) -> None:
    layer, (n, d_model) = scene.layer, scene.words.shape
    st.latex(r"\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt{d_k}}\right)V")
    if layer.num_heads > 1:
        st.latex(r"\mathrm{MultiHead}(X) = \mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\,W_O")
    frame.table(
        {
            "symbol": ["X", "W_Q, W_K", "W_V", "Q, K", "V", "QKᵀ, weights", "W_O", "h", "d_k"],
            "what it is": [
                "the words, one a row",
                "what turns a word into its query and key",
                "what turns a word into its value",
                "queries and keys",
                "values",
                "one number for each pair of words",
                "what mixes the heads",
                "number of heads",
                "numbers in a query or key",
            ],
            "here": [
                f"{n} × {d_model}",
                f"{d_model} × {layer.d_k} for each head",
                f"{d_model} × {layer.d_v} for each head",
                f"{n} × {layer.d_k}",
                f"{n} × {layer.d_v}",
                f"{n} × {n}",
                f"{layer.num_heads * layer.d_v} × {d_model}",
                str(layer.num_heads),
                str(layer.d_k),
            ],
        },
        "the symbols of the formula with their shapes",
    )
    st.caption("Vaswani et al. 2017, Attention Is All You Need, equation 1 and section 3.2.2.")


show()
