"""gensim's own files are read as gensim reads them, from versions 0.12 to 4.4, and nothing in them is run."""

import gzip
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gensim.models import Doc2Vec, FastText, KeyedVectors, TfidfModel, Word2Vec
from gensim.models.doc2vec import TaggedDocument
from gensim.models.fasttext import ft_ngram_hashes
from gensim.test.utils import datapath

from playground.errors import PlaygroundError
from playground.words.readers import native
from playground.words.readers.rows import Table
from playground.words.readers.source import open_source

SENTENCES = [["plum", "moss", "kite", "北京"], ["lamp", "harbor", "plum", "café"]] * 5
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def word2vec() -> Word2Vec:
    return Word2Vec(SENTENCES, vector_size=6, min_count=1, epochs=1, seed=1)


def fasttext(**settings: Any) -> FastText:
    return FastText(SENTENCES, vector_size=6, min_count=1, epochs=1, seed=1, **{"bucket": 60} | settings)


def doc2vec(**settings: Any) -> Doc2Vec:
    documents = [TaggedDocument(words, [number]) for number, words in enumerate(SENTENCES)]
    return Doc2Vec(documents, vector_size=6, min_count=1, epochs=1, seed=1, **settings)


MODELS: dict[str, Callable[[], Any]] = {"Word2Vec": word2vec, "FastText": fasttext, "Doc2Vec": doc2vec}


def read(path: Path, limit: int | None = None, normalize_keys: bool = False) -> Table:
    source = open_source(path)
    with source.open() as stream:
        assert native.is_native(stream.read(1 << 16))
    return native.read(source, limit, normalize_keys)


def assert_equal(table: Table, vectors: KeyedVectors) -> None:
    assert table.rows.words == vectors.index_to_key
    assert np.array_equal(table.rows.matrix(), vectors.vectors)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", MODELS)
def test_models_and_their_vectors_are_read_as_gensim_reads_them(kind: str, protocol: int, tmp_path: Path) -> None:
    model = MODELS[kind]()
    model.save(str(tmp_path / "any.model"), pickle_protocol=protocol)
    model.wv.save(str(tmp_path / "any.kv"), pickle_protocol=protocol)
    from_model, from_vectors = read(tmp_path / "any.model"), read(tmp_path / "any.kv")
    assert_equal(from_model, model.wv)
    assert_equal(from_vectors, model.wv)
    assert from_model.format == f"gensim {kind}"
    assert from_vectors.format == f"gensim {type(model.wv).__name__}"


@pytest.mark.parametrize("name", ["any.kv", "any.model", "any.kv.gz", "any.model.bz2"])
@pytest.mark.parametrize("kind", MODELS)
def test_arrays_that_gensim_keeps_apart_are_found_beside_the_file(kind: str, name: str, tmp_path: Path) -> None:
    model = MODELS[kind]()
    (model if ".model" in name else model.wv).save(str(tmp_path / name), sep_limit=1)
    assert len(list(tmp_path.iterdir())) > 1
    assert_equal(read(tmp_path / name), model.wv)


def test_a_file_packed_after_it_was_saved_still_finds_its_arrays(tmp_path: Path) -> None:
    vectors = word2vec().wv
    vectors.save(str(tmp_path / "any.kv"), sep_limit=1)
    (tmp_path / "any.kv.gz").write_bytes(gzip.compress((tmp_path / "any.kv").read_bytes()))
    assert_equal(read(tmp_path / "any.kv.gz"), vectors)


def test_a_missing_array_is_named(tmp_path: Path) -> None:
    for name, missing in (("any.kv", "any.kv.vectors.npy"), ("any.kv.gz", "any.kv.gz.vectors.npz")):
        word2vec().wv.save(str(tmp_path / name), sep_limit=1)
        (tmp_path / missing).unlink()
        with pytest.raises(PlaygroundError, match=f"^{name} needs the file {missing} beside it"):
            read(tmp_path / name)


def test_a_name_too_long_for_a_file_beside_it_is_no_trouble(tmp_path: Path) -> None:
    vectors = word2vec().wv
    vectors.save(str(tmp_path / "any.kv"), sep_limit=1)
    long = (tmp_path / "any.kv").rename(tmp_path / ("x" * 250))
    with pytest.raises(PlaygroundError, match=r"needs the file x+\.vectors\.npy beside it"):
        read(long)


def test_an_array_apart_that_holds_pickled_objects_is_not_opened(tmp_path: Path) -> None:
    word2vec().wv.save(str(tmp_path / "any.kv"), sep_limit=1)
    np.save(tmp_path / "any.kv.vectors.npy", np.array([[Path()]], dtype=object), allow_pickle=True)
    with pytest.raises(PlaygroundError, match=r"any\.kv\.vectors\.npy holds pickled Python objects"):
        read(tmp_path / "any.kv")


def test_what_a_file_says_of_arrays_leads_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    np.save(tmp_path / "secret.npy", np.ones((1, 2), dtype=np.float32))
    vectors = KeyedVectors(2)
    vectors.add_vector("plum", np.ones(2))
    vectors.save(str(folder / "any.kv"), separately=["vectors"])
    content = (folder / "any.kv").read_bytes()
    away = content.replace(b"]\x94\x8c\x07vectors\x94a", b"]\x94\x8c\x0c../../secret\x94a")
    assert away != content
    (folder / "any.kv").write_bytes(away)
    (folder / "any.kv.vectors.npy").unlink()
    with pytest.raises(PlaygroundError, match=r"any\.kv"):
        read(folder / "any.kv")


def test_fasttext_keeps_its_subwords_so_that_any_word_has_its_vector(tmp_path: Path) -> None:
    model = fasttext()
    model.wv.save(str(tmp_path / "any.kv"))
    subwords = read(tmp_path / "any.kv", limit=2).subwords
    assert subwords is not None
    assert (subwords.min_n, subwords.max_n, subwords.bucket) == (3, 6, 60)
    pieces = ft_ngram_hashes("mosses", subwords.min_n, subwords.max_n, subwords.bucket)
    assert np.allclose(subwords.ngrams[pieces].mean(axis=0), model.wv["mosses"], atol=1e-7)


def test_fasttext_without_subwords_is_read_as_whole_words(tmp_path: Path) -> None:
    model = fasttext(max_n=0)
    model.wv.save(str(tmp_path / "any.kv"))
    table = read(tmp_path / "any.kv")
    assert_equal(table, model.wv)
    assert table.subwords is None


def test_doc2vec_gives_words_and_says_what_of_documents(tmp_path: Path) -> None:
    doc2vec().save(str(tmp_path / "any.model"))
    assert read(tmp_path / "any.model").notes == (
        "Of the Doc2Vec model the vectors of words are read, not those of documents.",
    )
    doc2vec(dm=0).save(str(tmp_path / "any.model"))
    assert "are random" in read(tmp_path / "any.model").notes[0]


def test_vectors_of_documents_that_are_numbered_get_their_numbers_as_words(tmp_path: Path) -> None:
    doc2vec().dv.save(str(tmp_path / "any.kv"))
    assert read(tmp_path / "any.kv").rows.words == [str(number) for number in range(10)]


OLD = {
    "word2vec_old": Word2Vec,
    "word2vec_old_sep": Word2Vec,
    "word2vec_3.3": Word2Vec,
    "model-from-gensim-3.8.0.w2v": Word2Vec,
    "old_keyedvectors_320.dat": KeyedVectors,
    "compatible-hash-true.model": FastText,
} | {f"old_w2v_models/w2v_{version}.mdl": Word2Vec for version in ("0.13.4", "1.0.1", "2.3.0", "3.2.0", "3.4.0")}


@pytest.mark.parametrize("name", OLD)
def test_files_of_older_versions_are_read_as_gensim_reads_them(name: str) -> None:
    loaded = OLD[name].load(datapath(name))
    assert_equal(read(Path(datapath(name))), getattr(loaded, "wv", loaded))


OLDER = {  # words and dimensions
    "old_w2v_models/w2v_0.12.0.mdl": (3, 4),
    "old_w2v_models/w2v_0.13.3.mdl": (3, 4),
    "old_d2v_models/d2v_0.12.0.mdl": (3, 4),
    "old_d2v_models/d2v_3.3.0.mdl": (3, 4),
    "word2vec_pre_kv_py2": (9, 2),
    "word2vec_pre_kv_sep_py3_4": (9, 2),
    "fasttext_old_sep": (12, 100),
    "ft_kv_3.6.0.model.gz": (12, 3),
    "lee_fasttext": (1762, 10),
}


@pytest.mark.parametrize("name", OLDER)
def test_files_too_old_for_gensim_itself_are_read(name: str) -> None:
    with pytest.raises((AttributeError, ModuleNotFoundError, TypeError, KeyError, ImportError)):
        KeyedVectors.load(datapath(name)).most_similar("computer")
    rows = read(Path(datapath(name))).rows
    assert (len(rows.words), rows.dimensions) == OLDER[name]
    assert np.isfinite(rows.matrix()).all()


def test_subwords_hashed_as_before_gensim_4_are_left_out_and_it_is_said() -> None:
    table = read(Path(datapath("fasttext_old")))
    assert table.subwords is None
    assert "subwords are those of an early gensim" in table.notes[0]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tfidf_model.tst", "holds gensim's TfidfModel"),
        ("lda_3_0_1_model", "holds gensim's LdaModel"),
        ("poincare_test_3.4.0", "holds gensim's PoincareModel"),
        ("phrases-3.6.0.model", "holds gensim's Phrases"),
        ("varembed_vectors.pkl", "is a pickled dict, not a .kv or .model of gensim"),
        ("testcorpus.mm.index", "is a pickled list, not a .kv or .model of gensim"),
    ],
)
def test_another_pickle_is_refused_by_what_it_is(name: str, says: str) -> None:
    with pytest.raises(PlaygroundError, match=says):
        read(Path(datapath(name)))


def test_a_scikit_learn_model_is_refused_by_its_name(write: Callable[..., Path]) -> None:
    from sklearn.linear_model import LogisticRegression

    with pytest.raises(PlaygroundError, match=r"any\.kv holds scikit-learn's LogisticRegression"):
        read(write(pickle.dumps(LogisticRegression()), "any.kv"))


def test_a_pickled_array_is_said_to_be_one(write: Callable[..., Path]) -> None:
    with pytest.raises(PlaygroundError, match=r"is a pickled NumPy array"):
        read(write(pickle.dumps(np.ones((2, 2))), "any.kv"))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_limit_and_normal_form_hold_for_every_layout(protocol: int, tmp_path: Path) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["cafe\u0301", "plum", "moss"], np.arange(1, 7).reshape(3, 2))
    vectors.save(str(tmp_path / "any.kv"), pickle_protocol=protocol)
    table = read(tmp_path / "any.kv", limit=2, normalize_keys=True)
    assert table.rows.words == ["caf\u00e9", "plum"]
    assert table.rows.stopped
    assert table.rows.matrix().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("dtype", [">f4", "<f8", "<f2"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_kind_of_real_number_and_order_is_read(dtype: str, order: Any, protocol: int, tmp_path: Path) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["plum", "moss", "kite"], np.ones((3, 2)))
    vectors.vectors = np.array([[1, 2], [3, 4], [5, 6.5]], dtype=dtype, order=order)
    vectors.save(str(tmp_path / "any.kv"), pickle_protocol=protocol)
    assert read(tmp_path / "any.kv").rows.matrix().tolist() == [[1, 2], [3, 4], [5, 6.5]]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_matrix_of_megabytes_within_the_file_is_read(protocol: int, tmp_path: Path) -> None:
    vectors = KeyedVectors(1000)  # 4 MB: read in several pieces, and not copied out of the file
    numbers = np.random.default_rng(0).standard_normal((1000, 1000)).astype(np.float32)
    vectors.add_vectors([f"word{number}" for number in range(1000)], numbers)
    vectors.save(str(tmp_path / "any.kv"), pickle_protocol=protocol)
    assert np.array_equal(read(tmp_path / "any.kv").rows.matrix(), numbers)


def test_other_arrays_are_refused_by_what_they_are(tmp_path: Path) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vector("plum", np.ones(2))
    for array, says in (
        (np.array([[1, 2]]), "it is of 'i8'"),
        (np.array([["a", "b"]], dtype=object), "it is of 'O8'"),
        (np.ones(2, dtype=np.float32), r"its shape is not \(words, numbers\)"),
        ([1, 2], "without vectors"),
    ):
        vectors.vectors = array
        vectors.save(str(tmp_path / "any.kv"))
        with pytest.raises(PlaygroundError, match=says):
            read(tmp_path / "any.kv")


def test_an_array_whose_bytes_are_not_those_of_its_shape_is_refused(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "k01_native.kv").read_bytes()
    other = content.replace(b"K\x01K\x05K\x04\x86", b"K\x01K\xf5K\x04\x86")
    assert other != content
    with pytest.raises(PlaygroundError, match=r"the array 'vectors' cannot be read: it has the shape \(245, 4\)"):
        read(write(other, "any.kv"))


def test_words_and_vectors_without_a_partner_are_left_out_and_it_is_said(tmp_path: Path) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["plum", "moss", "kite"], np.arange(1, 7).reshape(3, 2))
    vectors.vectors = vectors.vectors[:2]
    vectors.save(str(tmp_path / "any.kv"))
    table = read(tmp_path / "any.kv")
    assert table.rows.words == ["plum", "moss"]
    assert table.notes == ("The file has 3 words and 2 vectors: what has no partner is left out.",)


def test_half_a_character_is_written_out_and_words_stay_distinct(tmp_path: Path) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["\udc80", "\udc81", "plum"], np.arange(1, 7).reshape(3, 2))
    vectors.save(str(tmp_path / "any.kv"))
    rows = read(tmp_path / "any.kv").rows
    assert rows.words == [r"\xed\xb2\x80", r"\xed\xb2\x81", "plum"]
    assert rows.repaired == 2


def test_things_that_are_no_words_are_refused(tmp_path: Path) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["plum", "moss"], np.ones((2, 2)))
    vectors.index_to_key = ["plum", ("a", "pair")]
    vectors.save(str(tmp_path / "any.kv"))
    with pytest.raises(PlaygroundError, match="things that are no words: number 2 is a tuple"):
        read(tmp_path / "any.kv")


ATTACKS = {
    "os.system": (b"cos\nsystem\n(S'touch RAN'\ntR.", "os.system"),
    "posix.system": (b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x09touch RAN\x85R.", "posix.system"),
    "eval": (b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x10open('RAN', 'w')\x85R.", "builtins.eval"),
    "getattr": (b"\x80\x04\x8c\x08builtins\x8c\x07getattr\x93.", "builtins.getattr"),
    "numpy.load": (b"cnumpy\nload\n(S'RAN'\nI00\nI01\ntR.", "numpy.load"),
    "numpy.f2py": (b"cnumpy.testing._private.utils\nrunstring\n(S'open(\"RAN\", \"w\")'\n}tR.", "runstring"),
    "gensim.utils.unpickle": (b"cgensim.utils\nunpickle\n(S'RAN'\ntR.", "gensim.utils.unpickle"),
    "a method of a class that is allowed": (
        b"\x80\x04\x8c\x1agensim.models.keyedvectors\x8c\x11KeyedVectors.load\x93\x8c\x03RAN\x85R.",
        "gensim.models.keyedvectors.KeyedVectors.load",
    ),
    "a module within one that is allowed": (
        b"\x80\x04\x8c\x1agensim.models.keyedvectors\x8c\x10utils.pickle.os \x93.",
        "gensim.models.keyedvectors.utils.pickle.os",
    ),
    "INST": (b"(S'touch RAN'\nios\nsystem\n.", "os.system"),
    "OBJ": (b"(cos\nsystem\nS'touch RAN'\no.", "os.system"),
    "a name with a line break": (b"\x80\x04\x8c\x02os\x8c\x08sys\ntem\x1b\x93.", r"os.sys\\ntem\\x1b"),
}  # fmt: skip


@pytest.mark.parametrize(("pickled", "names"), ATTACKS.values(), ids=ATTACKS.keys())
def test_a_file_that_asks_for_anything_else_is_refused_by_name_and_nothing_runs(
    pickled: bytes, names: str, write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(pickled, "any.kv")
    with pytest.raises(PlaygroundError, match=rf"^any\.kv is refused: it asks Python to run .*{names}.*, and vectors"):
        read(path)
    assert list(tmp_path.iterdir()) == [path]


def test_an_attack_within_a_real_model_is_refused(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "k01_native.kv").read_bytes()
    at = content.index(b"\x8c\x10lifecycle_events")
    attack = b"\x8c\x05posix\x8c\x06system\x93\x8c\x09touch RAN\x85R0"
    with pytest.raises(PlaygroundError, match=r"asks Python to run posix\.system"):
        read(write(content[:at] + attack + content[at:], "any.kv"))


def test_a_state_put_into_a_class_changes_nothing_of_gensim(write: Callable[..., Path]) -> None:
    before = dict(vars(KeyedVectors))
    pickled = b"\x80\x02cgensim.models.keyedvectors\nKeyedVectors\n}X\x0c\x00\x00\x00most_similarK\x01sb."
    with pytest.raises(PlaygroundError, match="puts a state into what is no object"):
        read(write(pickled, "any.kv"))
    assert dict(vars(KeyedVectors)) == before


def test_modules_that_an_allowed_name_stands_in_are_not_imported_for_it(cases: Path) -> None:
    read(cases / "k07_old_deprecated_module.kv")
    assert "gensim.models.deprecated.keyedvectors" not in sys.modules


def test_the_rest_of_a_foreign_pickle_is_not_read(write: Callable[..., Path]) -> None:
    path = write(pickle.dumps(TfidfModel()), "any.model")
    with path.open("r+b") as file:
        file.truncate(3_000_000_000)  # without a byte on the disk
    with pytest.raises(PlaygroundError, match="holds gensim's TfidfModel"):
        read(path)


def test_a_model_cut_short_anywhere_is_refused(cases: Path, tmp_path: Path) -> None:
    shutil.copy(cases / "k02_sidecar.kv.vectors.npy", tmp_path / "any.kv.vectors.npy")
    for name in ("k01_native.kv", "k02_sidecar.kv", "k08_old_3x_layout.kv"):
        content = (cases / name).read_bytes()
        for length in range(20, len(content), 7):
            (tmp_path / "any.kv").write_bytes(content[:length])
            with pytest.raises(PlaygroundError, match=r"any\.kv is cut short"):
                read(tmp_path / "any.kv")


@pytest.mark.parametrize(
    "start", [b"cat\ndog\npig\n", b"(a) 0.1 0.2\n", b"5 4\nplum 1 2 3 4\n", b"} 0.1\n", b"copy 1 2\n"]
)
def test_text_is_not_taken_for_a_pickle(start: bytes) -> None:
    assert not native.is_native(start)
