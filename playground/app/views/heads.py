"""What do several heads see?"""

import streamlit as st

from playground.app import frame
from playground.app.attention_scene import Scene
from playground.app.edit_bar import show_problem, undo_row
from playground.app.frame import Preset
from playground.app.head_parts import PARTS, show_part
from playground.app.layer_inputs import LEARNED, layer_inputs, link_values, notes
from playground.app.learned_parts import LEARNED as FITTING
from playground.app.learned_parts import START as START_ROW
from playground.app.learned_parts import learned_layer
from playground.app.models import vectors_of
from playground.app.query import PAD, choose_query
from playground.app.sentence import read_sentence
from playground.app.state import by_language, model_name, settled
from playground.attention.compare import entropy, head_differences
from playground.attention.workbench import LayerRun, run_layer, unedited
from playground.export.frameworks import frameworks_code
from playground.plots.numbers import decimals

PREFIX = "many_"
DEFAULTS = {"many_sentence": "my dog chased your black cat", "many_sentence_zh": "苹果公司发明了手机"}
START = {"many_sentence": 6, "many_sentence_zh": 1}  # a word that not all heads see alike
PLAIN = {
    "many_projections": "identity",
    "many_positions": False,
    "many_heads": 4,
    "many_mask": "none",
    "many_edits": "",
}
PRESETS: dict[str, tuple[tuple[str, dict[str, object]], ...]] = {
    "many_sentence": (
        ("two heads, half the columns each", {"many_heads": 2}),
        ("eight heads that have learnt", {"many_projections": "learned"}),
        ("eight untrained heads", {"many_projections": "random", "many_heads": 8}),
        ("take a head away", {"heads_part": "take one away"}),
        ("the bank of the river", {"many_sentence": "the bank of the river", "many_sentence_query": 2}),
        ("one that fails: heads that all look alike", {"many_temperature": 50.0}),
    ),
    "many_sentence_zh": (
        ("two heads, half the columns each", {"many_heads": 2}),
        ("eight untrained heads", {"many_projections": "random", "many_heads": 8}),
        ("银行在河边", {"many_sentence_zh": "银行在河边"}),
    ),
}

WHY = """
**One head gives one average.** A word that should look at two others, for two reasons, gets a mixture of both.
Several heads keep the reasons apart: each has its own queries, keys and values.

**Identity heads share the columns out.** With four heads and 100 numbers, each compares 25 numbers of the same
words. Random heads mix all 100 numbers, but nobody has taught them what to look for.

**The heads cost no more than one.** Each is narrower, d_model / h numbers, so all of them together take as many
products as one wide head. In practice they are one large multiplication, cut into heads afterwards.

**A head that can be taken away need not be useless.** Others may do the same work. What changes in the output is
the head's own part, its columns of the concat times its rows of W_O, and nothing else in this layer.
"""


def show() -> None:
    frame.question(
        "What do several heads see?",
        "Each head has its own queries and keys, so each looks elsewhere; W_O mixes what they bring.",
    )
    key, model = by_language("many_sentence"), model_name()
    vectors = vectors_of(model)
    typed = st.text_input("Sentence", value=DEFAULTS[key], key=key, bind="query-params", max_chars=5000)
    text, sentence, error = settled(key, typed, DEFAULTS[key], lambda words: read_sentence(vectors, words))
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    learned = (learned_layer().prepare(vectors, sentence.tokens), learned_layer()) if model == FITTING else None
    edits = layer_inputs(sentence.x, prefix=PREFIX, heads=4, learned=learned)
    show_problem(edits)
    setup = edits.setup
    words, layer = learned if learned and setup.projections == LEARNED else (sentence.x, None)
    now = run_layer(setup, words, layer)
    before = run_layer(unedited(setup), words, layer) if setup.edits else now
    query = choose_query(key, sentence, START[key])
    undo_row(edits)
    head = _head(setup.num_heads)
    start = [START_ROW] if layer else []
    padding = [PAD] * (len(now.steps.x) - len(start) - len(sentence.tokens))
    tokens = [*start, *sentence.tokens, *padding]
    scene = Scene(tokens, len(sentence.tokens), query + len(start), f"{key}_query", head, now, before)
    frame.answer(_answer(scene), *sentence.notes, *notes(setup, now.share), *edits.notes)
    part = st.segmented_control(
        "Look into", list(PARTS), default=next(iter(PARTS)), required=True, key="heads_part", bind="query-params"
    )
    show_part(scene, str(part))
    frame.explanations(
        formula=lambda: _formula(now),
        python=frameworks_code(model, sentence.tokens, now, "pg.MultiHeadAttention.learned()" if layer else ""),
        picture=_table(scene),
        why=WHY,
    )
    hot = {"many_temperature": 1.0, "many_scale": True, "many_hand": "no", f"{key}_query": START[key]}
    frame.try_next("heads", [Preset(label, {**PLAIN, **hot, **values}) for label, values in PRESETS[key]])
    frame.footer(
        {
            key: text,
            **link_values(setup, PREFIX),
            "many_edits": edits.text,
            "many_head": head + 1,
            f"{key}_query": query + 1,
            "heads_part": part,
        }
    )


def _head(heads: int) -> int:
    if not 1 <= st.session_state.get("many_head", 1) <= heads:
        st.session_state["many_head"] = 1
    if heads == 1:
        return 0
    options = list(range(1, heads + 1))
    chosen = st.segmented_control(
        "Head enlarged", options, default=1, required=True, key="many_head", bind="query-params"
    )
    return int(chosen) - 1


def _answer(scene: Scene) -> str:
    weights = scene.now.steps.weights
    h, word = len(weights), scene.tokens[scene.query]
    if h == 1:
        return "There is one head, so nothing to compare: choose more heads."
    looking: dict[str, list[int]] = {}
    for i, row in enumerate(weights[:, scene.query]):
        best = int(row.argmax())
        place = "nowhere" if not row.any() else "at itself" if best == scene.query else f"at {scene.tokens[best]}"
        looking.setdefault(place, []).append(i + 1)
    if len(looking) == 1:
        looks = f"All {h} heads look from {word} most {next(iter(looking))}."
    else:
        parts = [f"{place} ({_heads(heads)})" for place, heads in looking.items()]
        looks = f"{word} looks most {', '.join(parts[:-1])} and {parts[-1]}."
    apart = head_differences(weights)
    i, j = divmod(int(apart.argmax()), h)
    return f"{looks} Heads {min(i, j) + 1} and {max(i, j) + 1} differ most ({decimals(float(apart[i, j]), 2)} of 1)."


def _heads(numbers: list[int]) -> str:
    return f"head{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _table(scene: Scene) -> dict[str, list[object]]:
    weights = scene.now.steps.weights
    bits = entropy(weights)
    h, n, _ = weights.shape
    best = weights.argmax(axis=-1)
    return {
        "head": [i + 1 for i in range(h) for _ in range(n)],
        "query": [f"{j + 1}. {scene.tokens[j]}" for _ in range(h) for j in range(n)],
        "looks most at": [f"{best[i, j] + 1}. {scene.tokens[best[i, j]]}" for i in range(h) for j in range(n)],
        "weight": [float(weights[i, j, best[i, j]]) for i in range(h) for j in range(n)],
        "entropy in bits": [float(bits[i, j]) for i in range(h) for j in range(n)],
    }


def _formula(run: LayerRun) -> None:
    layer, (n, d_model) = run.layer, run.steps.x.shape
    h, d_k, d_v = layer.num_heads, layer.d_k, layer.d_v
    st.latex(r"\mathrm{head}_i = \mathrm{Attention}(XW_Q^i,\; XW_K^i,\; XW_V^i)")
    st.latex(r"\mathrm{MultiHead}(X) = \mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\,W_O")
    frame.table(
        {
            "symbol": ["X", "W_Q, W_K of a head", "W_V of a head", "a head's output", "Concat", "W_O", "MultiHead(X)"],
            "shape": [
                "(n, d_model)",
                "(d_model, d_k)",
                "(d_model, d_v)",
                "(n, d_v)",
                "(n, h·d_v)",
                "(h·d_v, d_model)",
                "(n, d_model)",
            ],
            "here": [
                f"{n} × {d_model}",
                f"{d_model} × {d_k}",
                f"{d_model} × {d_v}",
                f"{n} × {d_v}",
                f"{n} × {h * d_v}",
                f"{h * d_v} × {d_model}",
                f"{n} × {d_model}",
            ],
        },
        "the symbols of the formula with their shapes",
    )
    st.caption("Vaswani et al. 2017, Attention Is All You Need, section 3.2.2.")


show()
