"""The catalogue of models that can be fetched: facts from a list that nobody vouches for."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from model_server import Server

from playground.bundled import read_files
from playground.errors import DownloadError, PlaygroundError
from playground.words import remote
from playground.words.downloads import refresh

MD5 = "0123456789abcdef" * 2


def listed(name: str = "some-model", **facts: Any) -> bytes:
    """Return a list of one sound model, or with `facts` of one that may not be; None leaves a fact out."""
    sound = {
        "num_records": 5,
        "parameters": {"dimension": 3},
        "file_size": 100,
        "base_dataset": "A text",
        "license": "not found",
        "file_name": "some-model.gz",
        "checksum": MD5,
        "parts": 1,
    }
    kept = {key: value for key, value in (sound | facts).items() if value is not None}
    return json.dumps({"models": {name: kept}}).encode()


def test_the_bundled_copy_has_the_famous_models_with_published_facts() -> None:
    models = {model.name: model for model in remote.parse(read_files("models")["catalogue.json"])}
    assert len(models) == 12
    news = models["word2vec-google-news-300"]
    assert (news.words, news.dimensions, news.bytes) == (3_000_000, 300, 1_743_563_840)
    assert news.checksums == ("a5e5354d40acb95f9ec66d5977d140ef",)
    assert news.licence == "not stated"
    tweets = models["glove-twitter-25"]
    assert (tweets.words, tweets.dimensions, tweets.bytes) == (1_193_514, 25, 109_885_004)
    assert tweets.files == ("glove-twitter-25.gz",)
    assert tweets.licence == "PDDL-1.0"
    assert models["fasttext-wiki-news-subwords-300"].licence == "CC-BY-SA-3.0"
    assert models["word2vec-ruscorpora-300"].licence == "CC-BY-4.0"
    assert models["conceptnet-numberbatch-17-06-300"].licence == "CC-BY-SA-4.0"


def test_without_a_server_of_its_own_the_addresses_are_gensim_datas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAYGROUND_MODELS_URL")
    model = remote.model_named("glove-twitter-25")
    assert model is not None
    assert remote.list_address() == "https://raw.githubusercontent.com/RaRe-Technologies/gensim-data/master/list.json"
    assert remote.file_address(model, model.file_name) == (
        "https://github.com/RaRe-Technologies/gensim-data/releases/download/glove-twitter-25/glove-twitter-25.gz"
    )


@pytest.mark.parametrize("address", ["ftp://host/x", "host/x", "file:///etc", "http://", "http://[x/"])
def test_a_server_that_is_no_address_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("PLAYGROUND_MODELS_URL", address)
    for ask in (remote.list_address, refresh):
        with pytest.raises(PlaygroundError, match=r"PLAYGROUND_MODELS_URL is .* no address"):
            ask()
    assert len(remote.models()) == 12  # what is on this disk can still be used


def test_parts_are_numbered_files_in_the_order_of_their_checksums() -> None:
    sums = {f"checksum-{number}": f"{number:032x}" for number in range(3)}
    (model,) = remote.parse(listed(parts=3, checksum=None, **sums))
    assert model.files == ("some-model.gz_00", "some-model.gz_01", "some-model.gz_02")
    assert model.checksums == tuple(sums.values())


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "a/b", "a\\b", ".hidden", "", "a b", "-x", "x\n", "a..b", "ends.", "ä", "$(x)", "C:x", "x" * 101),
        *("glove", "zh", "glove-50d", "__testing_word2vec", "%2e%2e", "a?b", "a#b"),
    ],
)
def test_a_name_that_could_lead_elsewhere_is_left_out(name: str) -> None:
    with pytest.raises(PlaygroundError, match="holds no sound model"):
        remote.parse(listed(name))


@pytest.mark.parametrize(
    "facts",
    [
        {"file_name": "../../x.gz"},
        {"file_name": "/etc/passwd"},
        {"file_name": "__init__.py"},
        {"file_name": 5},
        {"file_name": None},
        {"num_records": -1},
        {"num_records": 0},
        {"num_records": "5"},
        {"num_records": True},
        {"num_records": 5.0},
        {"num_records": 10**30},
        {"parameters": None},
        {"parameters": [300]},
        {"parameters": {"dimension": "300"}},
        {"parameters": {"dimension": 10**9}},
        {"file_size": None},
        {"file_size": -5},
        {"file_size": 1e300},
        {"parts": 0},
        {"parts": 10**6},
        {"parts": 2},
        {"parts": "1"},
        {"checksum": "abc"},
        {"checksum": MD5.upper()},
        {"checksum": 7},
        {"checksum": None},
    ],
)
def test_facts_that_cannot_be_are_left_out(facts: dict[str, Any]) -> None:
    with pytest.raises(PlaygroundError, match="holds no sound model"):
        remote.parse(listed(**facts))


def test_a_model_that_is_not_sound_does_not_hide_the_others() -> None:
    models = json.loads(listed())["models"] | json.loads(listed("../x"))["models"]
    models |= {"no-facts": None, "SOME-model": models["some-model"]}  # the last is the same folder on some disks
    assert [model.name for model in remote.parse(json.dumps({"models": models}).encode())] == ["some-model"]


@pytest.mark.parametrize(
    "text",
    [b"", b"<html>", b"[]", b"{}", b'{"models": []}', b'{"models": {}}', b"[" * 100_000, b"\xff\xfe", b"1" * 9999],
)
def test_what_is_no_list_is_one_sentence(text: bytes) -> None:
    with pytest.raises(PlaygroundError, match="The list of models is not one"):
        remote.parse(text)


def test_texts_of_a_list_are_one_printable_line() -> None:
    (model,) = remote.parse(listed(license="free\x1b[31m\n\u202eof charge", base_dataset="x" * 10_000))
    assert model.licence == "free[31m of charge"
    assert len(model.corpus) == 120
    (model,) = remote.parse(listed(license=["CC"], base_dataset=None))
    assert (model.licence, model.corpus) == ("not stated", "not stated")


def test_fields_nobody_knows_are_ignored() -> None:
    assert remote.parse(listed(reader_code="https://host/__init__.py", description=[1])) == remote.parse(listed())


def test_a_list_from_the_network_replaces_the_bundled_one_and_stays_offline(server: Server) -> None:
    assert remote.model_named("glove-twitter-25") is not None
    server.add("tiny", b"content")
    assert [model.name for model in refresh()] == ["tiny"]
    server.files.clear()
    assert [model.name for model in remote.models()] == ["tiny"]
    with pytest.raises(DownloadError, match=r"does not have the file list.json \(404 Not Found\)"):
        refresh()
    assert [model.name for model in remote.models()] == ["tiny"]


def test_a_kept_list_is_what_was_fetched(server: Server) -> None:
    server.add("one", b"content", license="http://opendatacommons.org/licenses/pddl/")
    server.add("three", b"contents", parts=3, license="as you like")
    assert refresh() == remote.models()
    assert [model.licence for model in remote.models()] == ["PDDL-1.0", "as you like"]


def test_the_list_of_one_server_is_not_that_of_another(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.add("tiny", b"content")
    refresh()
    monkeypatch.delenv("PLAYGROUND_MODELS_URL")
    assert remote.model_named("tiny") is None
    assert remote.model_named("glove-twitter-25") is not None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"server": 1}', b"\xff", b"[" * 100_000])
def test_a_damaged_kept_list_gives_way_to_the_bundled_one(server: Server, tmp_path: Path, damage: bytes) -> None:
    server.add("tiny", b"content")
    refresh()
    (kept,) = tmp_path.rglob("catalogue.json")
    kept.write_bytes(damage)
    assert len(remote.models()) == 12


@pytest.mark.parametrize(
    ("text", "told"), [(b"<html>Log in first</html>", "is not one"), (b" " * 5_000_000, "is not one")]
)
def test_a_page_in_place_of_the_list_changes_nothing(server: Server, text: bytes, told: str) -> None:
    server.files["/list.json"] = text
    with pytest.raises(DownloadError, match=told):
        refresh()
    assert len(remote.models()) == 12


def test_a_list_that_is_cut_changes_nothing(server: Server) -> None:
    server.add("tiny", b"content")
    server.faults.cut_after = 100
    with pytest.raises(DownloadError, match=r"was cut\. The list stays as it was"):
        refresh()
    assert len(remote.models()) == 12


def test_without_a_network_the_list_stays_and_what_is_here_is_named(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYGROUND_MODELS_URL", "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match=r"is this machine online\? On this disk already: glove, zh"):
        refresh()


def test_windows_that_keep_a_list_at_once_leave_a_whole_one(server: Server) -> None:
    server.add("tiny", b"content")
    found = refresh()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(remote.keep, [found] * 20))
    assert remote.models() == found
