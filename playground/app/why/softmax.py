"""What does softmax do with numbers?"""

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.state import settled
from playground.attention.experiments.softmax_facts import PRECISIONS, Shift, shifted, with_temperature
from playground.errors import PlaygroundError, shorten
from playground.export.experiments import shift_code, temperature_code
from playground.plots.lines import lines
from playground.plots.numbers import decimals

NAME = "Softmax"
TITLE = "What does softmax do with numbers?"
PROMISE = "It turns any numbers into shares that add to 1. See what temperature, a constant and large numbers do to it."
TEMPERATURE, CONSTANT = "Temperature", "A constant added"
DEFAULT = "2, 1, 0.1"
MOST_SCORES = 8

WHY_TEMPERATURE = """
**Temperature divides the scores before softmax.** A small one widens the differences, and the largest score takes
all. A large one closes them, and every score gets the same.

**√d_k is a temperature.** Attention divides by it for the same reason: not too hard a choice, not too soft.

**The order never changes.** The larger score keeps the larger share at every temperature.

**The limits.** Softmax never gives exactly 0 or 1; only rounding does. It sees differences alone: scores 2 and 1
give the same shares as 102 and 101.
"""
WHY_CONSTANT = """
**A constant divides out.** e^(s + c) = e^c · e^s, and e^c stands above and below the fraction. So softmax sees only
differences.

**But computers overflow.** e to the power of 89 does not fit float32, and e to the power of 12 does not fit float16.
The result is infinity, and infinity divided by infinity is not a number (nan).

**Far below zero it breaks as well.** All exponentials round to 0, and 0 divided by 0 is nan too.

**So the maximum is subtracted first.** It is a constant like any other, and the largest exponential is then e⁰ = 1.
Every library does this. In float16, score plus constant is itself rounded, which moves the weights a little.
"""


def show() -> None:
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    mode = left.segmented_control(
        "What changes",
        [TEMPERATURE, CONSTANT],
        default=TEMPERATURE,
        required=True,
        key="why_softmax",
        bind="query-params",
    )
    with right:
        typed = st.text_input("Scores", value=DEFAULT, key="why_scores", bind="query-params", max_chars=200)
        text, scores, error = settled("why_scores", typed, DEFAULT, read_scores)
        if error:
            frame.problem(error, "why_scores", f"Still shown: {text}")
    if mode == TEMPERATURE:
        _temperature(text, scores)
    else:
        _constant(text, scores)


def read_scores(text: str) -> list[float]:
    """Return the numbers of a comma-separated text; raises `PlaygroundError` for what is no finite number."""
    parts = [part for part in text.replace("−", "-").replace("，", ",").replace(";", ",").split(",") if part.strip()]
    scores = []
    for part in parts:
        try:
            scores.append(float(part))
        except ValueError:
            raise PlaygroundError(
                f"{shorten(part.strip())!r} is not a number: type numbers with commas between."
            ) from None
    if not 2 <= len(scores) <= MOST_SCORES:
        raise PlaygroundError(f"Softmax needs 2 to {MOST_SCORES} scores here, and these are {len(scores)}.")
    if not all(abs(score) <= 1000 for score in scores):
        raise PlaygroundError("Scores from −1000 to 1000, please: others leave the picture.")
    return scores


def _temperature(text: str, scores: list[float]) -> None:
    chosen = st.slider("Temperature T", 0.1, 10.0, 1.0, 0.1, key="why_temperature", bind="query-params")
    temperatures = np.geomspace(0.1, 10, 61)
    curves = with_temperature(scores, temperatures.tolist())
    now, plain = with_temperature(scores, [chosen, 1.0])
    order = np.argsort(scores)[::-1]
    said = (
        f"At T = {chosen:g} the scores become {_listed(now)}."
        if chosen != 1
        else f"At T = 1, plain softmax, the scores become {_listed(now)}."
    )
    span = float(max(scores) - min(scores))
    frame.answer(
        said,
        "All scores are equal, so every temperature gives equal shares."
        if span == 0
        else f"At T = 0.1 the largest gets {decimals(float(curves[0, order[0]]))}, at T = 10 "
        f"{decimals(float(curves[-1, order[0]]))}.",
    )
    frame.chart(
        lines(
            temperatures.tolist(),
            {f"{i + 1}: score {score:g}": curves[:, i].tolist() for i, score in enumerate(scores)},
            "temperature T",
            "weight",
            log_x=True,
            y_domain=(0.0, 1.0),
            marked=chosen,
        ),
        f"Weights against temperature. {said}",
    )
    st.markdown("**The numbers**")
    frame.table(
        {
            "score": scores,
            "score ÷ T": [score / chosen for score in scores],
            "weight": now.tolist(),
            "weight at T = 1": plain.tolist(),
        },
        said,
    )
    frame.explanations(
        formula=_temperature_formula,
        python=temperature_code(scores, chosen),
        picture={
            "temperature": np.repeat(temperatures, len(scores)).tolist(),
            "score": scores * len(temperatures),
            "weight": curves.ravel().tolist(),
        },
        why=WHY_TEMPERATURE,
    )
    frame.try_next(
        "temperature",
        [
            Preset("T = 0.1: a hard choice", {"why_temperature": 0.1}),
            Preset("T = 10: almost equal", {"why_temperature": 10.0}),
            Preset("one where T does nothing: equal scores", {"why_scores": "3, 3, 3"}),
            Preset("large scores", {"why_scores": "30, 10, 1"}),
        ],
    )
    frame.footer({"why": NAME, "why_softmax": TEMPERATURE, "why_scores": text, "why_temperature": chosen})


def _constant(text: str, scores: list[float]) -> None:
    one, two = st.columns(2, vertical_alignment="bottom")
    precision = one.segmented_control(
        "Precision", list(PRECISIONS), default="float32", required=True, key="why_precision", bind="query-params"
    )
    constant = two.number_input("Constant c", -2000.0, 2000.0, 100.0, 1.0, key="why_constant", bind="query-params")
    limit = shifted(scores, [0.0], precision).largest
    reach = max(1.4 * limit + max(map(abs, scores)), abs(constant))
    constants = np.linspace(-reach, reach, 241)
    run = shifted(scores, constants.tolist(), precision)
    now = shifted(scores, [0.0, constant], precision)
    said = _constant_said(now, constant, precision)
    frame.answer(
        said,
        f"In {precision}, e to the power of a number above {limit:.2f} is infinite.",
    )
    top = int(np.argmax(scores))
    frame.chart(
        lines(
            constants.tolist(),
            {
                "maximum subtracted": run.stable[:, top].astype(float).tolist(),
                "as written": run.naive[:, top].astype(float).tolist(),
            },
            "constant c added to every score",
            "weight of the largest score",
            y_domain=(0.0, 1.0),
            marked=constant,
            dashed=("as written",),
        ),
        f"The largest weight against the constant; the line of the plain formula ends where it gives nan. {said}",
    )
    st.caption("The line of the formula as written ends where its weights are nan, not a number.")
    exponentials = _exponentials(scores, constant, precision)
    st.markdown("**The numbers**")
    frame.table(
        {
            "score": scores,
            "score + c": [score + constant for score in scores],
            "e^(score + c)": [f"{value:.4g}" for value in exponentials],
            "as written": [_weight(value) for value in now.naive[1]],
            "maximum subtracted": [_weight(value) for value in now.stable[1]],
            "with c = 0": [_weight(value) for value in now.stable[0]],
        },
        said,
    )
    frame.explanations(
        formula=_constant_formula,
        python=shift_code(scores, constant, precision),
        picture={
            "constant": constants.tolist(),
            "as written": run.naive[:, top].astype(float).tolist(),
            "maximum subtracted": run.stable[:, top].astype(float).tolist(),
        },
        why=WHY_CONSTANT,
    )
    frame.try_next(
        "constant",
        [
            Preset("c = 10 in float16", {"why_constant": 10.0, "why_precision": "float16"}),
            Preset("c = 80 still works in float32", {"why_constant": 80.0, "why_precision": "float32"}),
            Preset("c = −110: all round to 0", {"why_constant": -110.0, "why_precision": "float32"}),
            Preset("c = 100 in float64: no harm", {"why_constant": 100.0, "why_precision": "float64"}),
        ],
    )
    frame.footer(
        {
            "why": NAME,
            "why_softmax": CONSTANT,
            "why_scores": text,
            "why_precision": precision,
            "why_constant": constant,
        }
    )


def _constant_said(now: Shift, constant: float, precision: str) -> str:
    stable = _listed(now.stable[1])
    if now.broken[1]:
        return (
            f"With {constant:g} added, softmax as written gives {_listed(now.naive[1])} in {precision}. With the "
            f"maximum subtracted first: {stable}."
        )
    same = "exactly as" if now.change == 0 else f"within {now.change:.0e} of what it gives"
    return f"With {constant:g} added, softmax still gives {stable}, {same} without."


def _exponentials(scores: list[float], constant: float, precision: str) -> np.ndarray:
    with np.errstate(over="ignore"):
        result: np.ndarray = np.exp((np.array(scores) + constant).astype(precision))
    return result


def _listed(weights: np.ndarray) -> str:
    return ", ".join(_weight(weight) for weight in weights)


def _weight(value: float) -> str:
    return decimals(float(value)) if np.isfinite(value) else "nan"


def _temperature_formula() -> None:
    st.latex(r"w_i = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}")
    st.write("s are the scores, T > 0 the temperature, w the weights. Hinton et al. 2015, equation 1.")


def _constant_formula() -> None:
    st.latex(
        r"\frac{e^{s_i + c}}{\sum_j e^{s_j + c}} = \frac{e^c\, e^{s_i}}{e^c \sum_j e^{s_j}} = "
        r"\frac{e^{s_i}}{\sum_j e^{s_j}}"
    )
    st.write("s are the scores and c is any constant. With c = −max(s), no exponent is above 0.")
