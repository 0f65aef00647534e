"""What each of the famous sets of vectors is, in plain words."""

from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    """A title, the language of the words ("" if not known), what the vectors were made from and are good for."""

    title: str
    language: str
    text: str


def about(name: str) -> About:
    """Return what there is to say of the vectors `name`; of unknown ones, that there is nothing."""
    return _ABOUT.get(name) or About(name, "", "A newer model than this playground, which knows no more of it.")


_WIKIPEDIA = "GloVe, made from the English Wikipedia of 2014 and a collection of news; all small letters."
_TWITTER = "GloVe, made from two billion tweets; all small letters."

_ABOUT = {
    "glove": About(
        "GloVe 6B, 100 dimensions",
        "English",
        f"{_WIKIPEDIA} The set that this playground starts with: 110,000 frequent words, good for all views.",
    ),
    "zh": About(
        "Chinese Wikipedia word2vec, 100 dimensions",
        "Chinese",
        "word2vec, made from the Chinese Wikipedia in simplified characters. Good for words of two or more "
        "characters; it has no 的 or 了, and few single characters.",
    ),
    "glove-50d": About(
        "GloVe 6B, 50 dimensions",
        "English",
        f"{_WIKIPEDIA} All 400,000 words, with half the numbers a word: rare names and numbers are there too.",
    ),
    "glove-wiki-gigaword-50": About(
        "GloVe Wikipedia and news, 50 dimensions",
        "English",
        f"{_WIKIPEDIA} The smallest of its family: quick, good for a first look, weaker at analogies.",
    ),
    "glove-wiki-gigaword-100": About(
        "GloVe Wikipedia and news, 100 dimensions",
        "English",
        f"{_WIKIPEDIA} The vectors of the playground's own English set, with all 400,000 words.",
    ),
    "glove-wiki-gigaword-200": About(
        "GloVe Wikipedia and news, 200 dimensions",
        "English",
        f"{_WIKIPEDIA} Better at analogies than 100 numbers a word, at twice the memory.",
    ),
    "glove-wiki-gigaword-300": About(
        "GloVe Wikipedia and news, 300 dimensions",
        "English",
        f"{_WIKIPEDIA} The largest of its family, and the usual choice in research papers.",
    ),
    "glove-twitter-25": About(
        "GloVe Twitter, 25 dimensions",
        "English",
        f"{_TWITTER} Good for everyday speech, slang and emoticons; 25 numbers a word blur fine differences.",
    ),
    "glove-twitter-50": About(
        "GloVe Twitter, 50 dimensions",
        "English",
        f"{_TWITTER} Good for everyday speech, slang and emoticons at a moderate size.",
    ),
    "glove-twitter-100": About(
        "GloVe Twitter, 100 dimensions",
        "English",
        f"{_TWITTER} Compare it with the playground's own set: the same size of vector, another kind of text.",
    ),
    "glove-twitter-200": About(
        "GloVe Twitter, 200 dimensions",
        "English",
        f"{_TWITTER} The finest of its family; it needs about a gigabyte of memory.",
    ),
    "word2vec-google-news-300": About(
        "word2vec Google News, 300 dimensions",
        "English",
        "word2vec, made from about 100 billion words of news. The classic of the first papers: three million words "
        "and phrases with their capitals, such as New_York. Load the first 200,000 if memory is short.",
    ),
    "fasttext-wiki-news-subwords-300": About(
        "fastText Wikipedia and news, 300 dimensions",
        "English",
        "fastText, made from Wikipedia of 2017, web pages and news, with the pieces of words taken into account. "
        "Good for rare and inflected words; the file holds whole words only.",
    ),
    "conceptnet-numberbatch-17-06-300": About(
        "ConceptNet Numberbatch 17.06, 300 dimensions",
        "multilingual",
        "A graph of common knowledge joined with word2vec and GloVe, in many languages. Good for likeness of meaning "
        "across languages; its words are written with their language, as in /c/en/king.",
    ),
    "word2vec-ruscorpora-300": About(
        "word2vec Russian National Corpus, 300 dimensions",
        "Russian",
        "word2vec, made from books and newspapers of the Russian National Corpus. Words stand in their basic form "
        "with their part of speech, as in король_NOUN.",
    ),
}
