"""Which word does not belong?"""

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.errors import PlaygroundError
from playground.export.python import odd_one_out_code
from playground.plots.charts import bars
from playground.plots.colors import TOKEN_HUES
from playground.plots.numbers import decimals
from playground.words.neighbors import OddOneOut, odd_one_out
from playground.words.word_list import WordList, read_word_list

MOST_WORDS = 30
DEFAULTS = {
    "odd_words": "breakfast, lunch, dinner, cereal",
    "odd_words_zh": "苹果, 香蕉, 葡萄, 手机",
}
PRESETS = {
    "odd_words": (
        ("three fruits and a car", "apple, pear, banana, car"),
        ("cities and a country", "paris, berlin, rome, france"),
        ("colours and a mood", "red, green, blue, sad"),
        ("two against two", "cat, dog, hammer, saw"),
        ("one that fails: apple among fruits and firms", "apple, microsoft, ibm, pear, banana, cherry, plum"),
    ),
    "odd_words_zh": (
        ("城市和国家", "巴黎, 柏林, 东京, 法国"),
        ("家人和动物", "父亲, 母亲, 儿子, 老虎"),
    ),
}

WHY = """
**Each word is compared with all the others.** The mean of its cosines says how well it fits. The lowest is the
odd one.

**There is always an odd one.** Four words that fit together equally well still have a lowest mean. Look at the
margin: a small one means that nothing really stands out.

**The vectors know company, not categories.** A word may be odd because it is rare or has two meanings.
"""


def show() -> None:
    frame.question(
        "Which word does not belong?",
        "The word that is least similar to the others, on average, is the odd one out.",
    )
    key, model = by_language("odd_words"), model_name()
    vectors = vectors_of(model)
    typed = st.text_input(
        "Words, with commas between", value=DEFAULTS[key], key=key, bind="query-params", max_chars=2000
    )

    def compute(text: str) -> tuple[WordList, OddOneOut]:
        found = read_word_list(vectors, text, MOST_WORDS)
        if len(found.words) < 3:
            unknown = f" {found.unknown[0].explanation}" if found.unknown else ""
            raise PlaygroundError(f"Odd one out needs at least three different words.{unknown}")
        return found, odd_one_out(vectors, found.words)

    text, (found, result), error = settled(key, typed, DEFAULTS[key], compute)
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    lowest, following = (float(result.means[i]) for i in np.argsort(result.means, kind="stable")[:2])
    sentence = (
        f"{result.word} is the odd one out: mean cosine {decimals(lowest)}, "
        f"{decimals(result.margin)} below the next ({decimals(following)})."
    )
    frame.answer(sentence, *found.notes)
    order = np.argsort(-result.means, kind="stable")
    words = [result.words[i] for i in order]
    means = [float(result.means[i]) for i in order]
    odd = [word == result.word for word in words]
    frame.chart(bars(words, means, "mean cosine to the others", hue=TOKEN_HUES[1], strong=odd), sentence)
    frame.explanations(
        formula=_formula,
        python=odd_one_out_code(model, list(result.words)),
        picture={"word": words, "mean cosine to the others": means},
        why=WHY,
    )
    frame.try_next("odd", [Preset(label, {key: value}) for label, value in PRESETS[key]])
    frame.footer({key: text})


def _formula() -> None:
    st.latex(r"\mathrm{fit}(w) = \frac{1}{n-1}\sum_{v \neq w} \cos(w, v)")
    st.write("n is the number of words. The odd one out is the word w with the smallest fit.")


show()
