"""A row of small pictures to click, as buttons; their captions are never read as Markdown or HTML."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from playground.plots.charts import Kind
from playground.plots.thumbnails import thumbnail

_JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  const row = parentElement.querySelector('.row');
  row.setAttribute('aria-label', data.label);
  row.replaceChildren(...data.items.flatMap((item, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(item.chosen));
    const title = document.createElement('span');
    title.className = 'title';
    title.textContent = item.title;
    const images = document.createElement('span');
    images.className = 'images';
    for (const picture of item.pictures) {
      const image = document.createElement('img');
      Object.assign(image, { src: picture.src, alt: picture.alt, width: picture.width, height: picture.height });
      images.append(image);
    }
    const note = document.createElement('span');
    note.className = 'note';
    note.textContent = item.note;
    button.append(title, images, note);
    button.onclick = () => setTriggerValue('picked', index);
    if (!data.arrows || index === 0) return [button];
    const arrow = document.createElement('span');
    arrow.className = 'arrow';
    arrow.setAttribute('aria-hidden', 'true');
    arrow.textContent = '→';
    return [arrow, button];
  }));
}
"""

_CSS = """
.row { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: stretch; }
button {
  font: inherit; color: var(--st-text-color); background: transparent; border: 1px solid var(--st-border-color);
  border-radius: 0.4rem; padding: 0.35rem 0.5rem; cursor: pointer; display: flex; flex-direction: column;
  align-items: center; justify-content: space-between; gap: 0.3rem;
}
button:hover { background: var(--st-secondary-background-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
button[aria-pressed="true"] { border-color: var(--st-primary-color); box-shadow: 0 0 0 1px var(--st-primary-color); }
.title { font-size: 0.9rem; font-weight: 600; }
.note { font-size: 0.8rem; opacity: 0.85; }
.images { display: flex; flex-direction: column; gap: 3px; align-items: center; flex: 1; justify-content: center; }
img { image-rendering: pixelated; display: block; }
.arrow { align-self: center; opacity: 0.7; }
"""

_component = st.components.v2.component(
    "playground.thumbnails", html='<div class="row" role="group"></div>', css=_CSS, js=_JS
)


@dataclass(frozen=True)
class Picture:
    """One matrix of a thumbnail, what it is in words, and its size in pixels."""

    matrix: np.ndarray
    kind: Kind
    alt: str
    width: int = 64
    height: int = 64
    extent: float | None = None


@dataclass(frozen=True)
class Thumbnail:
    """A button: its title, its pictures from top to bottom, and a small note below."""

    title: str
    pictures: Sequence[Picture]
    note: str = ""


def thumbnails(
    key: str,
    items: Sequence[Thumbnail],
    on_pick: Callable[[int], None],
    *,
    label: str,
    chosen: int | None = None,
    arrows: bool = False,
) -> None:
    """Show the thumbnails; a click calls `on_pick` with the place of the one clicked."""
    data = {
        "label": label,
        "arrows": arrows,
        "items": [
            {
                "title": item.title,
                "note": item.note,
                "chosen": index == chosen,
                "pictures": [
                    {
                        "src": thumbnail(picture.matrix, picture.kind, picture.extent),
                        "alt": picture.alt,
                        "width": picture.width,
                        "height": picture.height,
                    }
                    for picture in item.pictures
                ],
            }
            for index, item in enumerate(items)
        ],
    }

    def picked() -> None:
        index = st.session_state[key].picked
        if index is not None and 0 <= index < len(items):
            on_pick(int(index))

    _component(key=key, data=data, on_picked_change=picked)
