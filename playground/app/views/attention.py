"""What does a word look at?"""

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.attention_scene import BEFORE, DIFFERENCE, NOW, Scene
from playground.app.attention_steps import show_step, step_names
from playground.app.edit_bar import Edits, show_problem, undo_row
from playground.app.frame import Preset
from playground.app.layer_inputs import layer_inputs, link_values, notes
from playground.app.models import vectors_of
from playground.app.query import PAD, choose_query, look_sentence
from playground.app.sentence import read_sentence
from playground.app.state import by_language, fill, model_name, settled
from playground.attention.workbench import LayerRun, run_layer, unedited
from playground.export.frameworks import frameworks_code

DEFAULTS = {"sentence": "apple company invented phones", "sentence_zh": "苹果公司发明了手机"}
# A preset begins from the plain layer, whatever was turned on before.
PLAIN = {
    "positions": False,
    "projections": "identity",
    "heads": 1,
    "mask": "none",
    "hand": "no",
    "temperature": 1.0,
    "scale": True,
    "edits": "",
}
PRESETS: dict[str, tuple[tuple[str, dict[str, object]], ...]] = {
    "sentence": (
        ("the bank of the river", {"sentence": "the bank of the river", "sentence_query": 2}),
        ("small enough to check by hand", {"sentence": "apple company invented phones", "hand": "4", "step": "scores"}),
        ("john hit mary, with positions", {"sentence": "john hit mary", "positions": True}),
        ("no look ahead: a causal mask", {"sentence": "she ate an apple pie", "mask": "causal", "sentence_query": 4}),
        ("one that fails: word order", {"sentence": "mary hit john"}),
    ),
    "sentence_zh": (
        ("小明喜欢吃苹果", {"sentence_zh": "小明喜欢吃苹果"}),
        ("银行在河边", {"sentence_zh": "银行在河边"}),
        ("small enough to check by hand", {"sentence_zh": "苹果公司发明了手机", "hand": "4", "step": "scores"}),
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
    edits = layer_inputs(sentence.x)
    show_problem(edits)
    setup = edits.setup
    now = run_layer(setup, sentence.x)
    before = run_layer(unedited(setup), sentence.x) if setup.edits else now
    query = choose_query(key, sentence)
    undo_row(edits)
    with st.container(horizontal=True, gap="medium"):
        head = _head(setup.num_heads)
        view = _view(bool(setup.edits))

    padding = [PAD] * (len(now.steps.x) - len(sentence.tokens))
    scene = Scene([*sentence.tokens, *padding], len(sentence.tokens), query, f"{key}_query", head, now, before, view)
    said = look_sentence(scene.tokens, query, scene.shown.steps.weights[head, query])
    one_sided = _one_sided(scene.shown.masked[head, query], scene.shown.steps.weights[head, query])
    frame.answer(said, *sentence.notes, *notes(setup, now.share), *edits.notes, one_sided)
    _stepper(scene, said, edits)
    frame.explanations(
        formula=lambda: _formula(now),
        python=frameworks_code(model, sentence.tokens, now),
        picture=_all_weights(scene),
        why=WHY,
    )
    presets = [Preset(label, {**PLAIN, key + "_query": 1, **values}) for label, values in PRESETS[key]]
    frame.try_next("attention", presets)
    frame.footer(
        {
            key: text,
            **link_values(setup),
            "edits": edits.text,
            "head": head + 1,
            key + "_query": query + 1,
            **{name: st.session_state[name] for name in ("step", "part", "row", "column") if name in st.session_state},
        }
    )


def _head(heads: int) -> int:
    if heads == 1:
        return 0
    if not 1 <= st.session_state.get("head", 1) <= heads:
        st.session_state["head"] = 1
    options = list(range(1, heads + 1))
    chosen = st.segmented_control("Head shown", options, default=1, required=True, key="head", bind="query-params")
    return int(chosen) - 1


def _view(edited: bool) -> str:
    if not edited:
        return NOW
    options = [NOW, BEFORE, DIFFERENCE]
    return str(st.segmented_control("Numbers shown", options, default=NOW, required=True, key="view"))


def _stepper(scene: Scene, said: str, edits: Edits) -> None:
    names = step_names(scene.now.layer.num_heads)
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
    show_step(scene, step, said, edits)


def _one_sided(scaled: np.ndarray, weights: np.ndarray) -> str:
    seen = np.sort(scaled[np.isfinite(scaled)])
    if len(seen) < 2 or weights.max() < 0.99:
        return ""
    second, first = seen[-2:]
    return (
        f"Its best scaled score is {first - second:.1f} above the next, so softmax leaves the others almost nothing: "
        "long vectors make large scores."
    )


def _all_weights(scene: Scene) -> dict[str, list[object]]:
    tokens, weights = scene.tokens, scene.shown.steps.weights
    places = list(np.ndindex(*weights.shape))
    return {
        "head": [h + 1 for h, _, _ in places],
        "query": [f"{i + 1}. {tokens[i]}" for _, i, _ in places],
        "key": [f"{j + 1}. {tokens[j]}" for _, _, j in places],
        "weight": [float(weights[place]) for place in places],
    }


def _formula(run: LayerRun) -> None:
    layer, (n, d_model) = run.layer, run.steps.x.shape
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
