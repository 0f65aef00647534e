"""The result of a test list: its sentence, its picture, and the questions to browse."""

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.plots.charts import bars
from playground.plots.numbers import decimals, percent
from playground.plots.scatter import scatter
from playground.words.scores import AnalogyScore, PairScore, Question

WRONG, RIGHT, SKIPPED = "wrong answers", "right answers", "skipped"
ANALOGIES = Path(__file__).with_name("views") / "analogies.py"


def show_analogies(result: AnalogyScore) -> dict[str, Any]:
    """Show the accuracy by section and the questions; return the table of the picture."""
    if result.accuracy is None:
        frame.answer("No question could be asked: these vectors do not hold the words of this list.")
        return {}
    sentence = f"{result.correct:,} of {result.total:,} analogies are right: {percent(result.accuracy)}."
    skipped = f"{result.skipped:,} more were skipped, for want of a word." if result.skipped else ""
    frame.answer(sentence, skipped)
    asked = [section for section in result.sections if section.accuracy is not None]
    names, shares = [one.name for one in asked], [one.accuracy or 0.0 for one in asked]
    frame.chart(bars(names, shares, "share of right answers"), sentence)
    _browse(result)
    return {
        "section": [one.name for one in result.sections],
        "right": [one.correct for one in result.sections],
        "asked": [one.total for one in result.sections],
        "skipped": [one.skipped for one in result.sections],
    }


def _browse(result: AnalogyScore) -> None:
    st.markdown("**The questions, one by one**")
    left, right = st.columns(2)
    place = left.selectbox(
        "Section",
        range(len(result.sections)),
        format_func=lambda i: f"{result.sections[i].name}: {result.sections[i].correct} of {result.sections[i].total}",
        key="score_section",
    )
    kind = right.segmented_control("Show", [WRONG, RIGHT, SKIPPED], default=WRONG, required=True, key="score_show")
    questions = [one for one in result.sections[place].questions if _kind(one) == kind]
    if not questions:
        st.write("None here.")
        return
    picked = st.dataframe(
        {
            "line": [one.line for one in questions],
            "question": [" : ".join(one.words[:2]) + " = " + one.words[2] + " : ?" for one in questions],
            "expected": [one.expected for one in questions],
            "answered": [one.answer or "" for one in questions],
            "rank of the expected": [one.rank for one in questions],
            "unknown words": [", ".join(one.unknown) for one in questions],
        },
        hide_index=True,
        height=260,
        on_select="rerun",
        selection_mode="single-row",
        key="score_rows",
        alt="the questions of this section",
    )
    rows = picked["selection"]["rows"]
    if rows and rows[0] < len(questions):
        question = questions[rows[0]]
        st.text(question.formula)
        st.page_link(
            ANALOGIES,
            label="Open this question as a formula",
            query_params={"formula": question.formula, "expected": question.expected.lower()},
        )
    else:
        st.caption("Click the box at the left of a question to open it as a formula.")


def _kind(question: Question) -> str:
    if question.unknown:
        return SKIPPED
    return RIGHT if question.correct else WRONG


def show_pairs(result: PairScore) -> dict[str, Any]:
    """Show the correlation with people's scores and each pair; return the table of the picture."""
    known = [pair for pair in result.pairs if pair.cosine is not None]
    if result.spearman is None or result.pearson is None:
        frame.answer("No correlation can be computed: these vectors hold too few words of this list.")
        return {}
    sentence = f"Rank correlation with people's judgement: {decimals(result.spearman)} (1 would be the same order)."
    missing = f"{len(result.pairs) - len(known)} of {len(result.pairs)} pairs have a word without a vector."
    frame.answer(sentence, missing if len(known) < len(result.pairs) else "")
    human = np.array([pair.human for pair in known])
    cosine = np.array([pair.cosine for pair in known])
    labels = [" and ".join(pair.words) for pair in known]
    frame.chart(scatter(human, cosine, labels, "score by people", "cosine"), sentence)
    gap = _ranks(cosine) - _ranks(human)
    columns = {
        "first word": [pair.words[0] for pair in known],
        "second word": [pair.words[1] for pair in known],
        "score by people": human.tolist(),
        "cosine": cosine.tolist(),
        "difference of rank": gap.astype(int).tolist(),
    }
    st.markdown("**The pairs, the worst first**: a large difference of rank means that people and vectors disagree")
    order = np.argsort(-np.abs(gap), kind="stable")
    frame.table({name: [values[i] for i in order] for name, values in columns.items()}, sentence, height=260)
    st.caption(f"Pearson's correlation: {decimals(result.pearson)}.")
    return columns


def _ranks(values: np.ndarray) -> np.ndarray:
    from scipy.stats import rankdata

    ranks: np.ndarray = rankdata(values)
    return ranks
