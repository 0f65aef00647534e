"""The page on word vectors: choose a set, fetch one, open a file; and all views with vectors of the reader's own."""

import gzip
import time
from pathlib import Path

import pytest
from model_server import Server

from playground.words.catalog import load
from playground.words.downloads import refresh
from playground.words.language import language_of
from playground.words.recent import remember

SMALL = b"4 3\nplum 1 0 0.5\nmoss 0 1 0.25\nkite 1 1 0\nlamp 0.5 -1 2\n"
VIEWS = [path.stem for path in sorted((Path(__file__).parents[2] / "playground/app/views").glob("*.py"))]
WORDS = ["зима", "весна", "лето", "осень", "мать", "отец", "дом", "город", "река", "гора", "конь", "хлеб"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path / "home"))
    return tmp_path


def sets(at) -> list[str]:
    return at.selectbox(key="model").options


def open_path(at, path: Path, **options: object):
    at.text_input(key="models_path").set_value(str(path)).run()
    assert not at.exception
    return at


def test_all_famous_sets_are_listed_with_size_and_licence(open_view, said, home):
    at = open_view("models")
    table = at.dataframe[0].value
    assert {"glove", "zh", "glove-50d", "word2vec-google-news-300"} <= set(table["set"])
    google = table[table["set"] == "word2vec-google-news-300"].iloc[0]
    assert (google["words"], google["to fetch, MB"], google["in memory, MB"]) == (3_000_000, 1744, 3600)
    assert google["licence"] == "not stated"
    assert "GloVe 6B: 100 numbers a word, 110,000 English words." in said(at)


def test_a_set_that_is_here_can_be_put_to_use(open_view, home):
    at = open_view("models")
    at.selectbox(key="models_set").set_value("zh").run()
    at.button(key="models_use").click().run()
    assert at.selectbox(key="model").value == "zh"
    assert at.button(key="models_used").disabled


def test_a_file_opened_by_its_path_is_used_by_all_views(open_view, said, home, cases):
    at = open_path(open_view("models"), cases / "t16_short_row.txt")
    assert at.selectbox(key="model").value == str(cases / "t16_short_row.txt")
    assert "line 7: 'short': 3 numbers, not 4" in said(at)
    at.switch_page("views/neighbors.py").run()
    assert "Nearest to" in said(at) and "harbor" in said(at)


def test_a_file_that_is_none_leaves_all_as_it_was(open_view, said, home, cases):
    at = open_path(open_view("models"), cases / "plain.vec")
    open_path(at, cases / "t23_html_instead.txt")
    assert "it looks like an HTML page" in said(at)
    assert "The vectors chosen before stay." in said(at)
    assert at.selectbox(key="model").value == str(cases / "plain.vec")


@pytest.mark.parametrize("typed", ["~nobody_of_that_name/x.vec", "no/such/file.vec", "a\0b", "/", "x" * 3000])
def test_a_path_that_leads_nowhere_is_one_sentence(open_view, said, home, typed):
    at = open_path(open_view("models"), typed)
    assert "The vectors chosen before stay." in said(at)


def test_a_file_that_has_gone_gives_way_to_the_first_set(open_view, said, home):
    path = home / "mine.vec"
    path.write_text("plum 1 0\nmoss 0.9 0.1\n")
    at = open_path(open_view("models"), path)
    path.unlink()
    at.switch_page("views/neighbors.py").run()
    assert not at.exception
    assert at.selectbox(key="model").value == "glove"
    assert "Nearest to king" in said(at)


def test_a_part_of_a_file_is_kept_for_this_session_alone(open_view, said, home, cases):
    at = open_view("models")
    at.number_input(key="models_limit").set_value(2).run()
    open_path(at, cases / "plain.vec")
    assert at.selectbox(key="model").value == "plain.vec"
    assert "Reading stopped at the limit of 2 words." in said(at)
    assert "plain.vec" not in sets(open_view("models"))
    at.selectbox(key="model").set_value("glove").run()
    at.button(key="models_put_away").click().run()
    assert "plain.vec" not in sets(at)


def test_files_sent_by_the_browser_stay_with_the_session_and_leave_nothing_on_the_disk(
    open_view, said, home, cases, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(home))
    at = open_view("models")
    pair = [cases / name for name in ("k02_sidecar.kv", "k02_sidecar.kv.vectors.npy")]
    files = [(path.name, path.read_bytes(), "application/octet-stream") for path in pair]
    at.file_uploader(key="models_upload_0").set_value(files).run()
    assert not at.exception
    assert at.selectbox(key="model").value == "k02_sidecar.kv"
    assert "k02_sidecar.kv: 5 words of 4 numbers" in said(at)
    assert list(home.glob("playground-*")) == []
    assert "k02_sidecar.kv" not in sets(open_view("models"))


def test_two_readers_who_send_files_of_the_same_name_see_each_their_own(open_view, said, home):
    contents = {"moss": b"plum 1 0\nmoss 0.9 0.1\nkite 0 1\n", "lamp": b"plum 1 0\nlamp 0.8 0.2\nharbor 0 1\n"}
    readers = {nearest: open_view("models") for nearest in contents}
    for nearest, at in readers.items():
        at.file_uploader(key="models_upload_0").set_value([("my.vec", contents[nearest], "text/plain")]).run()
    for nearest, at in readers.items():
        at.switch_page("views/neighbors.py").run()
        at.text_input(key="word").set_value("plum").run()
        assert f"Nearest to plum: {nearest}" in said(at)
    both = "plum, moss, kite, lamp, harbor"
    for at, missing in zip(readers.values(), ("lamp", "moss"), strict=True):
        at.switch_page("views/word_map.py").run()
        at.text_area(key="map_words").set_value(both).run()
        assert f"I do not know '{missing}'" in said(at)


def test_a_pickle_that_runs_code_is_refused_and_does_not_run(open_view, said, home, cases, monkeypatch):
    monkeypatch.chdir(home)
    at = open_view("models")
    evil = cases / "k04_runs_code.kv"
    at.file_uploader(key="models_upload_0").set_value([(evil.name, evil.read_bytes(), "")]).run()
    assert "k04_runs_code.kv" in said(at) and "The vectors chosen before stay." in said(at)
    assert list(home.rglob("PICKLE_RAN")) == []


def test_a_famous_set_is_fetched_checked_and_used(open_view, said, server: Server):
    server.add("four-words", gzip.compress(SMALL))
    refresh()
    at = open_view("models", models_set="four-words")
    assert at.button(key="models_fetch").label.startswith("Fetch ")
    at.button(key="models_fetch").click().run()
    until(at, lambda: "four-words" in sets(at))
    at.selectbox(key="models_set").set_value("four-words").run()
    at.button(key="models_use").click().run()
    at.switch_page("views/neighbors.py").run()
    assert "Nearest to" in said(at)
    at.switch_page("views/models.py").run()
    at.selectbox(key="model").set_value("glove").run()
    at.selectbox(key="models_set").set_value("four-words").run()
    at.button(key="models_remove").click().run()
    assert "four-words" not in sets(at)
    assert at.button(key="models_fetch").label.startswith("Fetch ")


def test_a_fetch_that_fails_says_why_and_can_be_tried_again(open_view, said, server: Server):
    server.add("wrong-sum", gzip.compress(SMALL), checksum="0" * 32)
    refresh()
    at = open_view("models", models_set="wrong-sum")
    at.button(key="models_fetch").click().run()
    until(at, lambda: "checksum" in said(at))
    at.run()
    assert at.button(key="models_fetch") is not None
    assert "wrong-sum" not in sets(at)


def until(at, happened) -> None:
    for _ in range(200):
        at.run()
        assert not at.exception
        if happened():
            return
        time.sleep(0.05)
    pytest.fail("it did not come to that")


@pytest.mark.parametrize(
    "content",
    [
        "only 1 2 3\n",
        "plum 0.5\n. 0.25\n, 0.75\n! -0.5\n",
        "".join(f"{word} {row % 5} {row % 3 - 1} {row * 7 % 11} 1\n" for row, word in enumerate(WORDS)),
    ],
    ids=["one word", "one number a word", "another language"],
)
def test_no_view_fails_with_vectors_that_hold_none_of_its_words(open_view, home, content):
    path = home / "own.vec"
    path.write_text(content, encoding="utf-8")
    remember(path, load(path).report)
    at = open_view("analogies", model=str(path))
    for view in VIEWS:
        at.switch_page(f"views/{view}.py").run()
        assert not at.exception, view
        assert at.selectbox(key="model").value == str(path)


def test_chinese_vectors_of_the_reader_bring_the_chinese_examples(open_view, said, home):
    path = home / "my.vec"
    rows = enumerate(["国王", "王后", "男人", "女人", "苹果", "公司", "发明", "手机"])
    path.write_text("".join(f"{word} {row} {row % 3} 1\n" for row, word in rows), encoding="utf-8")
    vectors = load(path)
    remember(path, vectors.report, language_of(vectors))
    assert "Nearest to 国王" in said(open_view("neighbors", model=str(path)))
