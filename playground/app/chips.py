"""A row of words to click: real buttons, whose texts are never read as Markdown or HTML.

Streamlit's own buttons render Markdown in their labels, so a word such as `**` or `:smile:` would change.
"""

from collections.abc import Callable, Sequence

import streamlit as st

_JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  const row = parentElement.querySelector('.row');
  row.setAttribute('aria-label', data.label);
  while (row.children.length > data.items.length) row.lastChild.remove();
  data.items.forEach((item, index) => {
    let chip = row.children[index];
    if (!chip) {
      chip = document.createElement('button');
      chip.type = 'button';
      row.appendChild(chip);
    }
    chip.textContent = item.text;
    chip.title = item.hint;
    chip.disabled = item.off;
    chip.style.setProperty('--hue', item.hue || 'var(--st-border-color)');
    chip.setAttribute('aria-pressed', String(item.chosen));
    chip.onclick = () => setTriggerValue('picked', index);
  });
}
"""

_CSS = """
.row { display: flex; flex-wrap: wrap; gap: 0.4rem; }
button {
  font: inherit; font-size: 0.95rem; line-height: 1.5; color: var(--st-text-color); background: transparent;
  border: 1px solid var(--st-border-color); border-bottom: 3px solid var(--hue); border-radius: 0.4rem;
  padding: 0.1rem 0.6rem; cursor: pointer; max-width: 16rem; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
button:hover:enabled { background: var(--st-secondary-background-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
button[aria-pressed="true"] {
  border-color: var(--hue); background: var(--st-secondary-background-color); font-weight: 700;
}
button:disabled { opacity: 0.6; text-decoration: line-through; cursor: not-allowed; }
"""

_component = st.components.v2.component(
    "playground.chips", html='<div class="row" role="group"></div>', css=_CSS, js=_JS
)


def chips(
    key: str,
    texts: Sequence[str],
    on_pick: Callable[[int], None],
    *,
    label: str,
    hues: Sequence[str] | None = None,
    hints: Sequence[str] | None = None,
    off: Sequence[bool] | None = None,
    chosen: int | None = None,
) -> None:
    """Show `texts` as clickable chips; a click calls `on_pick` with the place of the chip.

    `label` names the group for a screen reader; `off` strikes chips out; `chosen` marks one as pressed.
    """
    items = [
        {
            "text": text,
            "hue": hues[i] if hues else "",
            "hint": hints[i] if hints else "",
            "off": bool(off[i]) if off else False,
            "chosen": i == chosen,
        }
        for i, text in enumerate(texts)
    ]

    def picked() -> None:
        index = st.session_state[key].picked
        if index is not None and 0 <= index < len(texts):
            on_pick(int(index))

    _component(key=key, data={"label": label, "items": items}, on_picked_change=picked)
