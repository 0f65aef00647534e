"""The inputs of a layer of attention, one row and a popover for the rest: widgets → `Setup`."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from playground.app.edit_bar import Edits, edit_bar, take_back
from playground.attention.multihead import MultiHeadAttention
from playground.attention.workbench import PADDING, Setup, run_layer
from playground.plots.numbers import percent

IDENTITY, RANDOM, LEARNED = "identity", "random", "learned"
MOST_HEADS = 12
AS_THEY_ARE = "no"
NO_MASK, CAUSAL, PADDED = "none", "causal", "padding"


def layer_inputs(
    words: np.ndarray, *, prefix: str = "", heads: int = 1, learned: tuple[np.ndarray, MultiHeadAttention] | None = None
) -> Edits:
    """Show the inputs and return the setup for the sentence `words (n, d_model)` with its edits.

    `prefix` makes the keys of a view its own; `heads` is the number of heads on arrival; `learned` is a layer
    that can be chosen too, behind the input that it wants.
    """
    widths = [2.3, 1.2, 1.45, 1.3, 0.9] if learned else [1.7, 1.35, 1.45, 1.3, 1.0]
    one, two, three, four, five = st.columns(widths, vertical_alignment="bottom")
    chosen = one.segmented_control(
        "Projections",
        [IDENTITY, RANDOM, LEARNED] if learned else [IDENTITY, RANDOM],
        default=IDENTITY,
        required=True,
        key=f"{prefix}projections",
        bind="query-params",
        help="W_Q, W_K and W_V turn a word into its query, key and value. Identity leaves it as it is.",
    )
    hand = st.session_state.get(f"{prefix}hand", AS_THEY_ARE)
    most = MOST_HEADS if hand not in ("2", "3", "4") else int(hand)
    if st.session_state.get(f"{prefix}heads", heads) > most:
        st.session_state[f"{prefix}heads"] = most
    taught = learned is not None and chosen == LEARNED
    if learned is not None and taught:
        own = learned[1].num_heads
        count = two.number_input("Heads", own, own, own, key=f"{prefix}learned_heads", disabled=True)
    else:
        count = two.number_input("Heads", 1, most, min(heads, most), key=f"{prefix}heads", bind="query-params")
    positions = three.toggle(
        "Add positions",
        key=f"{prefix}positions",
        bind="query-params",
        disabled=taught,
        help="Adds a sine and cosine pattern for each place. Learned heads always have it.",
    )
    with four.popover("More options", width="stretch"):
        setup = _options(prefix, str(chosen), int(count), bool(positions))
    layer = None
    if learned is not None and taught:
        words, layer = learned
        setup = replace(setup, projections="learned", num_heads=layer.num_heads, position_strength=0.0, hand_size=0)
    with five.popover("Edits", width="stretch"):
        return edit_bar(setup, run_layer(setup, words, layer).matrices, prefix)


def link_values(setup: Setup, prefix: str = "") -> dict[str, Any]:
    """Return the inputs of the layer as they stand in a link, without the edits."""
    return {
        f"{prefix}projections": setup.projections,
        f"{prefix}heads": setup.num_heads,
        f"{prefix}positions": bool(setup.position_strength),
        f"{prefix}strength": setup.position_strength or 1.0,
        f"{prefix}seed": setup.seed,
        f"{prefix}d_k": setup.d_k or 0,
        f"{prefix}temperature": setup.temperature,
        f"{prefix}scale": setup.scale,
        f"{prefix}mask": setup.mask,
        f"{prefix}hand": str(setup.hand_size) if setup.hand_size else AS_THEY_ARE,
    }


def notes(setup: Setup, share: float) -> list[str]:
    """Return sentences on what is unusual about this layer."""
    said = []
    if setup.hand_size:
        said.append(
            f"Hand size: {setup.hand_size} numbers a word, the sentence's first principal components, to one decimal. "
            f"They hold {_most(share)} of the words' squared length, before rounding."
        )
    if setup.projections == RANDOM:
        said.append("These projections are random: an untrained layer. Where it looks has no meaning.")
    if setup.projections == LEARNED:
        said.append("These heads have learnt from a treebank. A look at [start] means that a head has nothing to say.")
    if setup.mask == CAUSAL:
        said.append("Causal mask: a word looks at itself and at earlier words only.")
    if setup.mask == PADDED:
        said.append(f"Padding mask: {PADDING} rows of zeros fill the sentence up, and no word may look at them.")
    if not setup.scale:
        said.append("The scores are not divided by √d_k.")
    if setup.temperature != 1:
        said.append(f"Temperature {setup.temperature:g}: the scores are also divided by it.")
    return said


def _most(share: float) -> str:
    return "over 99 %" if 0.995 <= share < 1 - 1e-9 else percent(share)


def _options(prefix: str, projections: str, heads: int, positions: bool) -> Setup:
    def key(name: str) -> dict[str, Any]:
        return {"key": f"{prefix}{name}", "bind": "query-params"}

    mask = st.segmented_control(
        "Mask",
        [NO_MASK, CAUSAL, PADDED],
        default=NO_MASK,
        required=True,
        help=f"Causal hides later words. Padding adds {PADDING} empty rows and hides them.",
        **key("mask"),
    )
    scale = st.toggle("Divide the scores by √d_k", True, **key("scale"))
    left, right = st.columns(2, vertical_alignment="bottom")
    temperature = left.number_input(
        "Temperature",
        0.05,
        100.0,
        1.0,
        0.5,
        help="Above 1 the weights are more alike, below 1 sharper.",
        **key("temperature"),
    )
    strength = right.number_input(
        "Positions, times",
        0.1,
        20.0,
        1.0,
        0.5,
        disabled=not positions,
        help="How strong the added positions are.",
        **key("strength"),
    )
    idle = projections != RANDOM
    d_k = left.number_input(
        "d_k, for random", 0, 100, 0, disabled=idle, help="The width of a query. 0 is d_model / heads.", **key("d_k")
    )
    seed = right.number_input(
        "Seed", 0, 9999, 0, disabled=idle, help="Another seed, other random projections.", **key("seed")
    )
    hand = st.segmented_control(
        "Hand size: numbers a word",
        [AS_THEY_ARE, "2", "3", "4"],
        default=AS_THEY_ARE,
        required=True,
        help="The sentence in its first principal components, small enough to check every product by hand.",
        on_change=take_back,
        args=(prefix,),
        **key("hand"),
    )
    setup = Setup(
        num_heads=heads,
        seed=int(seed),
        position_strength=float(strength) if positions else 0.0,
        temperature=float(temperature),
        scale=bool(scale),
        mask=mask,
        hand_size=0 if hand == AS_THEY_ARE else int(hand),
    )
    return replace(setup, projections="random", d_k=int(d_k) or None) if projections == RANDOM else setup
