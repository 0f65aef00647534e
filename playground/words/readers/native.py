"""gensim's own files, `.kv` and `.model`: pickles, of which only what they describe is taken (see `inert`)."""

import re
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.readers import described
from playground.words.readers.arrays import add_in_batches, open_npy, rows_of
from playground.words.readers.beside import beside, encodable
from playground.words.readers.fasttext import LONGEST_PIECE, LONGEST_WORD, compose
from playground.words.readers.inert import CutShortError, Name, Record, decode, names
from playground.words.readers.report import printable
from playground.words.readers.rows import Rows, Subwords, Table
from playground.words.readers.source import Source, open_source

_WORD2VEC = names("Word2Vec", "gensim.models.word2vec", "gensim.models.deprecated.word2vec")
_FASTTEXT = names(
    "FastText",
    "gensim.models.fasttext",
    "gensim.models.wrappers.fasttext",
    "gensim.models.deprecated.fasttext",
    "gensim.models.deprecated.fasttext_wrapper",
)
_DOC2VEC = names("Doc2Vec", "gensim.models.doc2vec", "gensim.models.deprecated.doc2vec")
_VECTORS = (
    names(
        "KeyedVectors EuclideanKeyedVectors Word2VecKeyedVectors FastTextKeyedVectors",
        "gensim.models.keyedvectors",
        "gensim.models.deprecated.keyedvectors",
    )
    | names(
        "FastTextKeyedVectors",
        "gensim.models.fasttext",
        "gensim.models.wrappers.fasttext",
        "gensim.models.deprecated.fasttext_wrapper",
    )
)  # fmt: skip

# All that the files of these models name, from gensim 0.12 to 4.4 and in the protocols 0 to 5.
ALLOWED = (
    _WORD2VEC | _FASTTEXT | _DOC2VEC | _VECTORS | described.ALLOWED
    | names("Vocab CompatVocab Doc2VecKeyedVectors", "gensim.models.keyedvectors")
    | names("Vocab", "gensim.models.deprecated.keyedvectors")
    | names("Vocab Word2VecVocab Word2VecTrainables", "gensim.models.word2vec")
    | names("Vocab", "gensim.models.deprecated.word2vec")
    | names("FastTextVocab FastTextTrainables", "gensim.models.fasttext")
    | names("DocvecsArray Doctag Doc2VecVocab Doc2VecTrainables", "gensim.models.doc2vec")
    | names("DocvecsArray Doctag", "gensim.models.deprecated.doc2vec")
    | names("call_on_class_only", "gensim.utils")
    | names("memmap float16 float32 float64 int32 int64 uint32 uint64", "numpy")
    | names("memmap", "numpy.core.memmap", "numpy._core.memmap")
    | names("scalar", "numpy.core.multiarray", "numpy._core.multiarray")
    | names("__RandomState_ctor", "numpy.random")
    | names("__randomstate_ctor __bit_generator_ctor __generator_ctor", "numpy.random._pickle")
    | names("MT19937", "numpy.random._mt19937")
    | names("PCG64", "numpy.random._pcg64")
    | names("SeedSequence __pyx_unpickle_SeedSequence", "numpy.random.bit_generator")
    | names("hash int long float dict object set frozenset bytearray", "builtins", "__builtin__")
    | names("defaultdict OrderedDict", "collections")
    | names("defaultdict", "UserString")  # as Python 3.4 wrote it for Python 2
    | names("_reconstructor", "copyreg", "copy_reg")
)  # fmt: skip

START = 1 << 16  # bytes that are tried first
_LIBRARIES = {
    "gensim": "gensim",
    "sklearn": "scikit-learn",
    "joblib": "joblib",
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "pandas": "pandas",
    "spacy": "spaCy",
}
_NAME = rb"[a-z_][\w.]*\n[a-z_][\w.]*\n"
_OLD_PICKLE = re.compile(
    rb"ccopy_?reg\n_reconstructor\n|\([ld]p\d+\n|[\]}]q\x00|\([ic]" + _NAME + rb"|\(S'[^\n]*'\n"
    rb"|c" + _NAME + rb"(?:\(|p\d+\n|q[\x00-\x08])",
    re.IGNORECASE,
)
_PYTORCH = 0x1950A86A20F9469CFC6C  # the number that PyTorch's old files begin with


def is_native(start: bytes) -> bool:
    """Tell whether a file that begins so is a pickle, as `.kv` and `.model` are, of protocol 0 to 5."""
    return (start[:1] == b"\x80" and start[1:2] <= b"\x05") or _OLD_PICKLE.match(start) is not None


def read(source: Source, limit: int | None, normalize_keys: bool) -> Table:
    """Return the word vectors of a `.kv` or `.model` of gensim 0.12 to 4.4, and the subwords of a FastText one.

    Nothing that the file names is imported or called. Large arrays, which gensim keeps in files beside it, are
    memory-mapped from there. Raises `PlaygroundError` for a pickle of anything else.
    """
    with ExitStack() as stack:
        found = _find(source, stack)
        rows = Rows(found.vectors.shape[1], limit, normalize_keys)
        add_in_batches(rows, found.words, found.rows)
        return Table(rows, found.format, None, found.subwords, found.notes)


@dataclass(frozen=True)
class _Found:
    """What a file holds. With `composed`, `vectors` are only the words' own part: their subwords are to be added."""

    words: list[bytes | str]
    vectors: np.ndarray
    subwords: Subwords | None
    composed: bool
    format: str
    notes: tuple[str, ...]

    def rows(self, start: int, end: int) -> np.ndarray:
        own = rows_of(self.vectors, start, end)
        return compose(self.words[start:end], own, self.subwords) if self.composed and self.subwords else own


@dataclass(frozen=True)
class _Saved:
    """The attributes of an object in the file; `base` is how the names of its files beside it begin."""

    attributes: dict[object, object]
    source: Source
    base: str
    stack: ExitStack

    def array(self, *names: str) -> np.ndarray | None:
        """Return the first of these attributes that is there, an array `(n, d)`."""
        apart = self.attributes.get("__numpys")
        for name in names:
            value = self.attributes.get(name)
            if isinstance(value, Record):
                return described.array(value, name, self.source.name)
            if isinstance(apart, list) and name in apart:
                return self._beside(name)
        return None

    def _beside(self, name: str) -> np.ndarray:
        """Return an array that gensim has put into a file of its own, beside this one."""
        endings = ["npz", "npy"] if self.source.path.suffix in (".gz", ".bz2") else ["npy", "npz"]
        own = self.source.path
        stems = [own.name, own.stem] if self.source.packing else [own.name]
        wanted = [f"{stem}{self.base}.{name}.{ending}" for stem in stems for ending in endings]
        path = next((path for one in wanted if (path := beside(self.source, one))), None)
        if path is None:
            raise PlaygroundError(
                f"{self.source.name} needs the file {printable(wanted[0])} beside it: gensim keeps large arrays apart. "
                "Put both into one folder and open it by its path."
            )
        return open_npy(self.stack.enter_context(open_source(path).on_disk()), printable(path.name))

    def number(self, name: str) -> int:
        value = self.attributes.get(name)
        return value if type(value) is int else -1


def _find(source: Source, stack: ExitStack) -> _Found:
    root = _described(source)
    maker = root.maker if isinstance(root, Record) else None
    if not isinstance(root, Record) or maker not in _WORD2VEC | _FASTTEXT | _DOC2VEC | _VECTORS:
        raise PlaygroundError(
            f"{source.name} is {_kind(root)}, not a .kv or .model of gensim. "
            "Save its words and vectors as text, or as .npy with a list of the words."
        )
    model = _Saved(_attributes(root), source, "", stack)
    part = model.attributes.get("wv")
    held = _Saved(_attributes(part), source, ".wv", stack) if isinstance(part, Record) else model
    vectors = held.array("vectors", "syn0")
    subwords, notes = _subwords(held, root.maker[1].startswith("FastText"), needed=vectors is None)
    composed = vectors is None and subwords is not None
    if vectors is None:
        vectors = held.array("vectors_vocab", "syn0_vocab")
    if vectors is None:
        raise PlaygroundError(f"{source.name} holds gensim's {root.maker[1]} without vectors.")
    words = _words(held, len(vectors), source.name)
    if composed and (longest := max(map(len, words), default=0)) > LONGEST_WORD:
        raise PlaygroundError(f"{source.name} has a word of {longest:,} letters: at most {LONGEST_WORD:,} can be read.")
    if len(words) != len(vectors):
        notes.append(
            f"The file has {len(words):,} words and {len(vectors):,} vectors: what has no partner is left out."
        )
    if root.maker in _DOC2VEC:
        notes.append(_of_documents(model))
    return _Found(words[: len(vectors)], vectors, subwords, composed, f"gensim {root.maker[1]}", tuple(notes))


def _described(source: Source) -> object:
    """Return what the pickle describes. The start is tried first: it can tell that the rest is not needed."""

    def check(name: Name) -> None:
        _check(name, source.name)

    with source.open() as stream:
        start = stream.read(START)
    with suppress(CutShortError):
        return decode(start, source.name, check)
    with source.open() as stream:
        return decode(stream.read(), source.name, check)


def _check(name: Name, file: str) -> None:
    """Refuse a class or function that models of word vectors do not need."""
    if name in ALLOWED:
        return
    module, what = map(printable, name)
    library = _LIBRARIES.get(module.partition(".")[0])
    if library and what.isidentifier() and what[0].isupper():
        raise PlaygroundError(
            f"{file} holds {library}'s {shorten(what)}, which is not read here: "
            "only gensim's Word2Vec, FastText and Doc2Vec models and their vectors are."
        )
    raise PlaygroundError(
        f"{file} is refused: it asks Python to run {shorten(f'{module}.{what}')}, and vectors need no such thing. "
        "Ask its maker for the vectors as text."
    )


def _kind(root: object) -> str:
    if isinstance(root, Record):
        is_array = described.is_array(root)
        return "a pickled NumPy array" if is_array else f"a pickled {root.maker[1]}"
    if root == _PYTORCH:
        return "a PyTorch file"
    return f"a pickled {type(root).__name__}"


def _attributes(record: Record) -> dict[object, object]:
    return record.state if isinstance(record.state, dict) else {}


def _of_documents(model: _Saved) -> str:
    if model.number("sg") == 1 and model.number("dbow_words") == 0:
        return "Its word vectors are random: this Doc2Vec model was trained for documents alone (dbow_words=0)."
    return "Of the Doc2Vec model the vectors of words are read, not those of documents."


def _words(held: _Saved, count: int, file: str) -> list[bytes | str]:
    """Return the words in the order of their vectors, of which there are `count`."""
    for name in ("index_to_key", "index2word", "index2entity"):
        listed = held.attributes.get(name)
        if isinstance(listed, list):
            return [_word(word, place, file) for place, word in enumerate(listed, 1)]
    for name in ("key_to_index", "vocab"):
        entries = held.attributes.get(name)
        if isinstance(entries, dict):
            words: list[bytes | str] = [""] * count
            for word, entry in entries.items():
                row = _attributes(entry).get("index") if isinstance(entry, Record) else entry
                if not isinstance(row, int) or not 0 <= row < count:
                    raise PlaygroundError(f"{file} is damaged: the word {_shown(word)} has no row of its own.")
                words[row] = _word(word, row + 1, file)
            return words
    raise PlaygroundError(f"{file} holds vectors without words.")


def _word(word: object, place: int, file: str) -> bytes | str:
    if isinstance(word, str):
        return encodable(word)
    if isinstance(word, bytes):
        return word
    if isinstance(word, int):  # the tags of documents, for one
        return str(word)
    raise PlaygroundError(f"{file} holds vectors of things that are no words: number {place:,} is {_shown(word)}.")


def _shown(word: object) -> str:
    return repr(shorten(word)) if isinstance(word, str) else f"a {type(word).__name__}"


def _subwords(held: _Saved, fasttext: bool, needed: bool) -> tuple[Subwords | None, list[str]]:
    """Return the subwords of a FastText model, or a note on why not; raise if the words `needed` them."""
    if not fasttext:
        return None, []
    bucket, min_n, max_n = (held.number(name) for name in ("bucket", "min_n", "max_n"))
    if bucket == 0 or max_n == 0:
        return None, []  # a model of whole words
    ngrams = held.array("vectors_ngrams", "syn0_ngrams")
    is_known = held.attributes.get("compatible_hash") is True and 0 <= min_n <= max_n <= LONGEST_PIECE
    if ngrams is not None and is_known and len(ngrams) == bucket:
        return Subwords(rows_of(ngrams, 0, bucket).astype(np.float32), min_n, max_n, bucket), []
    if needed:
        raise PlaygroundError(
            f"{held.source.name} is a FastText model of an early gensim, whose subwords cannot be read. "
            "Load it in gensim 3.8.3 and save it again."
        )
    return None, ["Its subwords are those of an early gensim and are left out: a word it does not list has no vector."]
