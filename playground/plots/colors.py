"""Colours: one per token, one scale per kind of matrix; for light and dark pages and colour-blind readers."""

# Ten hues of one luminance (0.187): each has a contrast of 4.4:1 on the light page and 4:1 on the dark one.
TOKEN_HUES = (
    "#007ec4",
    "#c55700",
    "#008960",
    "#b9558e",
    "#937500",
    "#8169c7",
    "#2a80a1",
    "#c25553",
    "#607c88",
    "#aa6830",
)

WEIGHT_SCALE = ("#f4f8fc", "#9ecae1", "#3182bd", "#08407a")  # 0 → 1
SIGNED_SCALE = ("#a33b12", "#e9a17c", "#f7f5f2", "#8ab8de", "#0b4f8f")  # negative → 0 → positive

DARK_INK = "#14202b"
LIGHT_INK = "#ffffff"


def token_hue(position: int) -> str:
    """Return the colour of the token at `position` of a sentence; after ten, the hues repeat."""
    return TOKEN_HUES[position % len(TOKEN_HUES)]
