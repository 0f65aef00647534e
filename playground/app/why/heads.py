"""Why several heads?"""

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.attention.experiments.several_heads import Roles, roles
from playground.export.experiments import heads_code
from playground.plots.charts import strips
from playground.plots.numbers import decimals
from playground.words.lookup import Lookup, require
from playground.words.neighbors import similarity

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

NAME = "Several heads"
TITLE = "Why several heads?"
PROMISE = "“hit” takes over from who hits and from who is hit: by one head, and by two that look at different words."
DEFAULTS = {
    "why_first": "john",
    "why_second": "mary",
    "why_first_zh": "老师",
    "why_second_zh": "学生",
}
PAIRS = {
    "why_first": (("dog", "man"), ("river", "money")),
    "why_first_zh": (("父亲", "儿子"), ("苹果", "手机")),
}

WHY = """
**One head gives one average.** With equal weights, *john and mary* and *mary and john* are the same sum. Who hits
and who is hit is lost.

**Unequal weights trade one loss for another.** Give the first word more, and the two orders differ again. But what
is left of the second word shrinks. At a share of 1 it is gone.

**Two heads keep both.** Each looks where it likes, and their outputs stand side by side. Each has half the width, so
the work stays the same.

**The limits.** Where the heads look is set by hand here; training has to find it. Many trained heads turn out to be
alike, and can be taken away with little loss (Michel et al. 2019).
"""


def show() -> None:
    first_key, second_key, model = by_language("why_first"), by_language("why_second"), model_name()
    vectors = vectors_of(model)
    found: list[Lookup] = []
    *columns, last = st.columns(3)
    for key, column, label in zip((first_key, second_key), columns, ("First word", "Second word"), strict=True):
        with column:
            typed = st.text_input(label, value=DEFAULTS[key], key=key, bind="query-params", max_chars=200)
            text, one, error = settled(key, typed, DEFAULTS[key], lambda word: require(vectors, word))
            if error:
                frame.problem(error, key, f"Still shown: {text}")
            found.append(one)
    share = last.slider("One head gives the first word", 0.0, 1.0, 0.5, 0.05, key="why_share", bind="query-params")
    a, b = (one.vector for one in found)
    assert a is not None and b is not None
    names = [one.words[0] if len(one.words) == 1 else one.text.strip() for one in found]
    run = roles(a, b, share)
    said = _said(names, run, share)
    frame.answer(said, *(one.explanation for one in found))
    st.caption(
        f"What the word takes over: {len(run.one)} numbers, on one scale. “Exchanged”: the two words change places."
    )
    rows = ["one head", "exchanged", "two heads", "exchanged"]
    outputs = np.stack([run.one, run.one_swapped, run.two, run.two_swapped])
    frame.chart(strips(outputs, rows, colored=False), f"Outputs of one head and of two as strips of colour. {said}")
    st.markdown("**One head, for every share; two heads need not share**")
    frame.table(_trade(vectors, a, b), "what one head keeps for every share, and two heads")
    frame.explanations(
        formula=lambda: _formula(len(run.one)),
        python=heads_code(model, found[0].words[0], found[1].words[0], share),
        picture={
            "column": list(range(1, len(run.one) + 1)),
            "one head": run.one.tolist(),
            "one head, exchanged": run.one_swapped.tolist(),
            "two heads": run.two.tolist(),
            "two heads, exchanged": run.two_swapped.tolist(),
        },
        why=WHY,
    )
    presets = [Preset(f"{x} and {y}", {first_key: x, second_key: y}) for x, y in PAIRS[first_key]]
    frame.try_next(
        "roles",
        [
            *presets,
            Preset("one head, 0.8 for the first", {"why_share": 0.8}),
            Preset("one head that drops the second word", {"why_share": 1.0}),
            Preset("one that fails: the same word twice", {second_key: found[0].text}),
        ],
    )
    frame.footer({"why": NAME, first_key: found[0].text, second_key: found[1].text, "why_share": share})


def _said(names: list[str], run: Roles, share: float) -> str:
    a, b = names
    if run.two_changes == 0:
        return f"{a} and {b} are the same vector: exchanging them changes nothing, with one head or two."
    if run.one_changes == 0:
        one = f"One head averages {a} and {b}: exchanging them changes nothing (0)."
    elif share in (0.0, 1.0):
        kept, lost = (a, b) if share else (b, a)
        one = f"One head looks at {kept} alone: {lost} is lost (0)."
    else:
        one = (
            f"One head keeps {decimals(share, 2)} of {a} and {decimals(1 - share, 2)} of {b}: exchanging them moves "
            f"the output by {decimals(run.one_changes, 2)}."
        )
    return f"{one} Two heads keep both apart: exchanging them moves the output by {decimals(run.two_changes, 2)}."


def _trade(vectors: "KeyedVectors", a: np.ndarray, b: np.ndarray) -> dict[str, list[Any]]:
    shares = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    runs = [roles(a, b, share) for share in shares]
    width = len(a)
    return {
        "output of": ["one head"] * len(shares) + ["two heads"],
        "weight of the first": [*shares, 1.0],
        "weight of the second": [round(1 - share, 2) for share in shares] + [1.0],
        "moved by exchanging": [run.one_changes for run in runs] + [runs[0].two_changes],
        "cosine with the first": [similarity(vectors, run.one[:width], a) for run in runs] + [None],
        "cosine with the second": [similarity(vectors, run.one[:width], b) for run in runs] + [None],
    }


def _formula(width: int) -> None:
    st.latex(r"\text{one head: } s\,a + (1 - s)\,b \qquad \text{two heads: } \mathrm{Concat}(aW_V^1,\; bW_V^2)")
    st.write(
        f"a and b are the two word vectors, s is the share of the first, from 0 to 1. W_V¹ keeps columns 1 to "
        f"{width // 2} and W_V² the others, so both outputs have {width} numbers. Vaswani et al. 2017, section 3.2.2: "
        "“with a single attention head, averaging inhibits this”."
    )
