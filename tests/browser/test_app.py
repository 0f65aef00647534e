"""The app as a reader meets it: started by its own command, driven in a real Chromium."""

import gzip
import random
import re
import threading

import pytest

from playground.words.downloads import refresh

pytestmark = pytest.mark.browser


def _type(page, label: str, text: str) -> None:
    box = page.get_by_role("textbox", name=label, exact=True)
    box.fill(text)
    box.press("Enter")


def test_a_formula_typed_in_the_app_is_answered(page, address):
    from playwright.sync_api import expect

    page.goto(address)
    answer = page.locator(".st-key-answer")
    expect(answer).to_have_text("queen (0.770), then monarch (0.684) and throne (0.676).")
    _type(page, "Formula", "paris − france + japan")
    expect(answer).to_contain_text("tokyo (0.899)")
    _type(page, "Formula", "tokyo - japan + frence")
    expect(page.locator(".st-key-problem_formula")).to_contain_text("frence")
    expect(answer).to_contain_text("tokyo (0.899)")
    page.get_by_role("button", name="france", exact=True).click()
    expect(answer).to_contain_text("paris")


def test_a_sentence_shows_the_weights_of_the_word_that_is_clicked(page, address):
    from playwright.sync_api import expect

    page.goto(f"{address}/attention")
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text("apple looks most at itself (0.71)")
    _type(page, "Sentence", "the <b>dog</b> bites the man")
    expect(answer).to_contain_text("the looks most at")
    page.get_by_role("button", name="dog", exact=True).click()
    expect(answer).to_contain_text("dog looks most at itself")
    expect(page.get_by_text("which add to 1.000")).to_be_visible()
    # the arrow keys walk the chain
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("No mask: every word may look at every word.")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("keeps the softmax from giving everything to one word")).to_be_visible()
    assert "sentence=the" in page.url


def test_a_click_on_a_cell_shows_its_arithmetic_and_a_changed_cell_ripples(page, address):
    from playwright.sync_api import expect

    page.goto(f"{address}/attention?step=scores")
    arithmetic = page.locator(".st-key-arithmetic")
    expect(arithmetic).to_contain_text("query of apple · key of company = 20.236")
    picture = page.locator(".st-key-picture_scores")
    expect(picture.get_by_text("35.9")).to_be_visible()  # the picture is drawn
    box = picture.bounding_box()
    page.mouse.click(box["x"] + 0.92 * box["width"], box["y"] + 126)  # third row, fourth column
    expect(arithmetic).to_contain_text("query of invented · key of phones")
    page.get_by_label("Column: key word, number").fill("1")
    page.keyboard.press("Enter")
    expect(arithmetic).to_contain_text("query of invented · key of apple")
    page.get_by_role("radio", name="mask").click()
    page.get_by_role("button", name="Block this cell").click()
    expect(page.get_by_text("1 edit: mask[3,1]=0")).to_be_visible()
    expect(arithmetic).to_contain_text("invented may not look at apple")
    page.get_by_role("button", name="Undo").first.click()
    expect(arithmetic).to_contain_text("invented may look at apple")


def test_a_link_restores_a_view_and_a_trail_of_neighbours_can_be_walked(page, address):
    from playwright.sync_api import expect

    page.goto(f"{address}/neighbors?word=apple&neighbors_topn=5")
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text("Nearest to apple: microsoft")
    page.get_by_role("button", name="microsoft", exact=True).click()
    expect(answer).to_contain_text("Nearest to microsoft")
    page.get_by_role("button", name="apple", exact=True).last.click()
    expect(answer).to_contain_text("Nearest to apple")


def test_typed_markup_is_shown_as_the_text_that_it_is(page, address):
    from playwright.sync_api import expect

    page.goto(address)
    for typed in ("![i](u)", "<b>x</b>", ":smile:", "$x$", "**y**"):
        _type(page, "Formula", typed)
        expect(page.locator(".st-key-problem_formula")).to_contain_text(typed[:3])
        expect(page.locator(".st-key-problem_formula")).to_contain_text(typed[-1])
    assert page.locator(".st-key-problem_formula b, .st-key-problem_formula img").count() == 0


def test_words_of_the_map_are_chosen_by_click_and_by_rectangle_and_the_picture_is_kept(page, address):
    from playwright.sync_api import expect

    def place(word: str) -> tuple[float, float]:
        box = page.locator(f'svg.marks path[aria-label*="word: {word};"]').first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.goto(f"{address}/word_map?map_words=king, queen, lion, tiger, bread, soup")
    chosen = page.get_by_test_id("stMultiSelect")
    expect(page.locator('svg.marks path[aria-label*="word: king;"]').first).to_be_visible()
    page.mouse.click(*place("bread"))
    expect(chosen).to_contain_text("bread")
    page.mouse.click(*place("bread"))
    expect(chosen).not_to_contain_text("bread")
    (x, y), (x2, y2) = place("lion"), place("tiger")
    left, right, top, bottom = min(x, x2), max(x, x2), min(y, y2), max(y, y2)
    page.mouse.move(left - 15, top - 15)
    page.mouse.down()
    page.mouse.move(right, bottom, steps=5)
    page.mouse.move(right + 15, bottom + 15, steps=5)
    page.mouse.up()
    expect(chosen).to_contain_text("tiger")
    expect(chosen).to_contain_text("lion")
    page.get_by_role("button", name="Add their neighbours").click()
    expect(page.get_by_role("textbox", name="Words, one group")).to_have_value(re.compile("near lion and 1 more: "))
    # a file of the run before is gone when the page has been drawn anew
    expect(page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_be_visible()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download map.png").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_file_sent_by_the_browser_is_read_and_used(page, address):
    from playwright.sync_api import expect

    page.goto(f"{address}/models")
    content = b"plum 1 0\nmoss 0.9 0.1\nkite 0 1\nlamp 1\n"
    page.locator("input[type=file]").set_input_files([{"name": "my.vec", "mimeType": "text/plain", "buffer": content}])
    expect(page.locator(".st-key-notes_opened")).to_contain_text("line 4: 'lamp': 1 number")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("my.vec, 2 numbers a word, 3 words")
    page.get_by_role("link", name="Neighbours").click()
    _type(page, "Word, list or formula", "plum")
    expect(page.locator(".st-key-answer")).to_contain_text("Nearest to plum: moss (0.994)")


def test_a_famous_set_comes_with_a_bar_can_be_stopped_and_goes_on(page, address, home, model_server):
    from playwright.sync_api import expect

    numbers = random.Random(0)
    words = "".join(f"word{row} {numbers.random()} {numbers.random()} 1\n" for row in range(20_000))
    model_server.add("many-words", gzip.compress(words.encode()), num_records=20_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYGROUND_HOME", str(home))
        patch.setenv("PLAYGROUND_MODELS_URL", model_server.address)
        refresh()
    model_server.faults.pause = threading.Event()
    page.goto(f"{address}/models?models_set=many-words")
    page.get_by_role("button", name="Fetch").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(" of 414.9 kB")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Stopping …")).to_be_visible()
    model_server.faults.pause.set()
    expect(page.locator(".st-key-problem_fetch")).to_contain_text("Stopped.")
    model_server.faults.pause = None
    page.get_by_role("button", name="Fetch").click()
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("20,000 words")
