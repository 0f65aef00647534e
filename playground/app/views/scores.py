"""How good are these vectors?"""

from typing import Any

import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.score_results import show_analogies, show_pairs
from playground.app.score_run import Request, result_of
from playground.app.state import model_name
from playground.errors import PlaygroundError
from playground.export.python import score_code
from playground.words.analogy import Method
from playground.words.scores import AnalogyScore, PairScore

GOOGLE, WORDSIM, SIMLEX = "Google analogies", "WordSim-353", "SimLex-999"
OWN_ANALOGIES, OWN_PAIRS = "your own analogies", "your own pairs"
LISTS = [WORDSIM, SIMLEX, GOOGLE, OWN_ANALOGIES, OWN_PAIRS]
SOURCES = {WORDSIM: "wordsim353", SIMLEX: "simlex999", GOOGLE: "google-analogies"}
LIMITS = {"10,000 most frequent": 10_000, "30,000 most frequent": 30_000, "50,000 most frequent": 50_000, "all": None}
METHODS: dict[str, Method] = {"3CosAdd": "3cosadd", "3CosMul": "3cosmul"}

WHY = """
**Analogies** ask for the fourth word: *athens* is to *greece* as *oslo* is to …? Only the exact word counts. The
three given words are left out, which makes the task easier than it looks.

**Pairs** were judged by people on a scale from 0 to 10. The rank correlation (Spearman) compares the order of the
pairs by people with their order by cosine: 1 is the same order, 0 is no relation.

**WordSim-353 rewards relatedness** (*coffee* and *cup*), **SimLex-999 only similarity** (*coffee* and *tea*). Vectors
learnt from company do better at the first.

**A list tests what it contains.** More than half of the Google questions are about capitals and countries. A score is
good for comparing vectors with one another, not as a mark for understanding.
"""


def show() -> None:
    frame.question(
        "How good are these vectors?",
        "Test lists from research ask what the vectors know; you see each question and each answer.",
    )
    left, middle, right = st.columns([2, 2, 1.4], vertical_alignment="bottom")
    chosen = left.selectbox("Test list", LISTS, key="score_list", bind="query-params")
    analogies = chosen in (GOOGLE, OWN_ANALOGIES)
    limit = middle.selectbox(
        "Among the words",
        list(LIMITS),
        index=1 if analogies else 3,
        key="score_limit" if analogies else "pair_limit",
        bind="query-params",
    )
    rule = "3CosAdd"
    if analogies:
        rule = right.segmented_control(
            "Rank by", list(METHODS), default="3CosAdd", required=True, key="score_method", bind="query-params"
        )
    try:
        lines = _own_lines(analogies) if chosen in (OWN_ANALOGIES, OWN_PAIRS) else None
        if chosen in (OWN_ANALOGIES, OWN_PAIRS) and lines is None:
            frame.answer("Give a file of your own.", _format(analogies))
            result = None
        else:
            request = Request(model_name(), SOURCES.get(chosen, ""), analogies, LIMITS[limit], METHODS[rule], lines)
            result = result_of(request)
    except PlaygroundError as error:
        frame.problem(error, "score_list")
        result = None
    picture: dict[str, Any] = {}
    if isinstance(result, AnalogyScore):
        picture = show_analogies(result)
    elif isinstance(result, PairScore):
        picture = show_pairs(result)
    frame.explanations(
        formula=_formula,
        python=score_code(model_name(), SOURCES.get(chosen), analogies, LIMITS[limit], METHODS[rule]),
        picture=picture,
        why=WHY,
    )
    frame.try_next(
        "scores",
        [
            Preset("similarity: SimLex-999", {"score_list": SIMLEX}),
            Preset("relatedness: WordSim-353", {"score_list": WORDSIM}),
            Preset("19,544 analogies", {"score_list": GOOGLE}),
        ],
    )
    frame.footer({"score_list": chosen, "score_limit" if analogies else "pair_limit": limit, "score_method": rule})


def _own_lines(analogies: bool) -> tuple[str, ...] | None:
    uploaded = st.file_uploader("Your list, a text file", type=["txt", "tsv"], key=f"score_file_{analogies}")
    if uploaded is None:
        return None
    try:
        return tuple(uploaded.getvalue().decode("utf-8-sig").splitlines())
    except UnicodeDecodeError as error:
        raise PlaygroundError(f"The file is not UTF-8 text (byte {error.start + 1}): save it as UTF-8.") from None


def _format(analogies: bool) -> str:
    if analogies:
        return "Four words a line, such as athens greece oslo norway; a line : name begins a section."
    return "Two words and a score a line, with tabs or spaces between, such as coffee tea 7.5."


def _formula() -> None:
    st.latex(
        r"\mathrm{accuracy} = \frac{\text{correct answers}}{\text{questions asked}}, \qquad "
        r"\rho = 1 - \frac{6\sum_i d_i^2}{n(n^2-1)}"
    )
    st.write(
        "A question with a word that the vectors do not hold is skipped, not counted as wrong. ρ is Spearman's rank "
        "correlation: n pairs, d the difference of a pair's two ranks (the formula is for ranks without ties)."
    )


show()
