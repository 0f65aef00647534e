"""The `playground` command: the app, and each of its answers in the terminal."""

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from playground import cli_models
from playground.errors import DownloadError, PlaygroundError, shorten
from playground.terminal import print_json, print_table, printable, say

if TYPE_CHECKING:
    import numpy as np
    from gensim.models import KeyedVectors

    from playground.attention.multihead import MultiHeadAttention

BAD_INPUT = 2  # the exit code for a word, formula or file that cannot be used, as for a wrong option


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (the process's own by default); return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character shows its code instead
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            arguments = _parser().parse_args(argv)
            code: int = arguments.run(arguments)
            return code
        finally:
            sys.stdout.flush()
    except DownloadError as error:
        return _fail(str(error), 1)
    except PlaygroundError as error:
        return _fail(str(error), BAD_INPUT)
    except MemoryError:
        return _fail("There is not enough memory for this: take fewer words, fewer heads or a smaller model.", 1)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of a pipe (`| head`) has gone: nothing is left to say
        _discard_output()
        return 0
    except OSError as error:  # such as a full disk
        _discard_output()
        return _fail(f"{error.strerror or error}.", 1)


def _fail(sentence: str, code: int) -> int:
    print(f"playground: {printable(sentence)}", file=sys.stderr)
    return code


def _discard_output() -> None:
    """Let what is still to be written go nowhere, or Python would complain about it as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="playground",
        description="See word embeddings and attention. Without a command, the app opens in the browser.",
    )
    parser.add_argument("--port", type=int, default=8501, help="the app's port (a busy one: the next free one)")
    parser.add_argument("--no-browser", action="store_true", help="start the app without opening the browser")
    parser.set_defaults(run=_app)
    commands = parser.add_subparsers(title="commands", metavar="")

    as_json = argparse.ArgumentParser(add_help=False)
    as_json.add_argument("--json", action="store_true", help="print JSON, for programs")
    model = argparse.ArgumentParser(add_help=False, parents=[as_json])
    model.add_argument(
        "--model", default="glove", help='a name from "playground models", or the path of a file (default: glove)'
    )
    topn = argparse.ArgumentParser(add_help=False)
    topn.add_argument("-n", "--topn", type=int, default=10, help="how many words (default: 10)")

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str, *parents: Any) -> Any:
        command = commands.add_parser(name, help=text, description=text, parents=parents)
        command.set_defaults(run=run)
        return command

    near = add("neighbors", _neighbors, "the nearest words of a word", model, topn)
    near.add_argument("word")
    two = add("similarity", _similarity, "the cosine similarity of two words", model)
    two.add_argument("first")
    two.add_argument("second")
    sums = add("analogy", _analogy, 'word arithmetic, such as "king - man + woman"', model, topn)
    sums.add_argument("formula", help="in quotes; if it begins with a minus, put -- before it")
    sums.add_argument("--method", choices=["3cosadd", "3cosmul"], default="3cosadd")
    sums.add_argument("--include-inputs", action="store_true", help="allow the input words as answers")
    look = add("attend", _attend, "which words of a sentence look at which", model)
    look.add_argument("sentence")
    look.add_argument("--query", help="one word of the sentence: its row of weights, with the steps to it")
    look.add_argument("--heads", type=int, help="number of heads (default: 1; learned: all eight)")
    look.add_argument("--projections", choices=["identity", "random", "learned"], default="identity")
    look.add_argument("--seed", type=int, default=0, help="for random projections (default: 0)")
    look.add_argument("--positions", action="store_true", help="add sinusoidal positions (learned: always)")
    cli_models.add_commands(add, as_json)
    return parser


def _app(arguments: argparse.Namespace) -> int:
    from playground.app.launch import launch

    return launch(port=arguments.port, browser=not arguments.no_browser)


def _load(arguments: argparse.Namespace) -> "KeyedVectors":
    from playground.words.catalog import load

    return load(arguments.model)


def _neighbors(arguments: argparse.Namespace) -> int:
    from playground.words.lookup import require
    from playground.words.neighbors import neighbors

    vectors = _load(arguments)
    found = require(vectors, arguments.word)
    near = neighbors(vectors, arguments.word, arguments.topn)
    if arguments.json:
        return print_json({"word": arguments.word, "read_as": found.words, "how": found.how, "neighbors": _pairs(near)})
    say(found.explanation)
    print_table(["word", "cosine"], [(one.word, f"{one.similarity:.4f}") for one in near])
    return 0


def _similarity(arguments: argparse.Namespace) -> int:
    from playground.words.lookup import require
    from playground.words.neighbors import similarity

    vectors = _load(arguments)
    found = [require(vectors, text) for text in (arguments.first, arguments.second)]
    cosine = similarity(vectors, arguments.first, arguments.second)
    if arguments.json:
        words = [one.words for one in found]
        return print_json({"first": words[0], "second": words[1], "similarity": cosine})
    for one in found:
        say(one.explanation)
    print(f"{cosine:.4f}   the cosine of {math.degrees(math.acos(cosine)):.1f}°")
    return 0


def _analogy(arguments: argparse.Namespace) -> int:
    from playground.words.analogy import analogy

    result = analogy(
        _load(arguments),
        arguments.formula,
        topn=arguments.topn,
        method=arguments.method,
        exclude_inputs=not arguments.include_inputs,
    )
    if arguments.json:
        return print_json(
            {
                "formula": result.expression,
                "positive": result.positive,
                "negative": result.negative,
                "method": arguments.method,
                "excluded": result.excluded,
                "answers": _pairs(result.answers),
            }
        )
    for one in result.lookups:
        say(one.explanation)
    score = "cosine" if arguments.method == "3cosadd" else "3CosMul"
    print_table(["word", score], [(one.word, f"{one.similarity:.4f}") for one in result.answers])
    return 0


def _attend(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from playground.words.lookup import lookup, require
    from playground.words.tokens import tokenize

    vectors = _load(arguments)
    tokens = tokenize(vectors, arguments.sentence)
    unknown = [token for token in dict.fromkeys(tokens) if token not in vectors.key_to_index]
    if arguments.projections != "learned":  # those heads know an unknown word by its position
        tokens = [token for token in tokens if token not in unknown]
        if unknown and not tokens:
            require(vectors, unknown[0])
    layer, x = _layer_and_input(arguments, vectors, tokens)
    first = len(x) - len(tokens)  # the row of the first token: 1 where [start] stands before it
    keys = ["[start]"][:first] + tokens
    rows = range(first, len(keys))
    if arguments.query is not None:
        rows = range(first + _position_of(vectors, arguments.query, tokens), len(keys))[:1]
    steps = layer(x)
    if arguments.json:
        return print_json(
            {
                "tokens": tokens,
                "unknown": unknown,
                "keys": keys,
                "queries": [keys[row] for row in rows],
                "projections": arguments.projections,
                "positions": arguments.positions or bool(layer.heads),
                "heads": [asdict(head) for head in layer.heads],
                "d_k": layer.d_k,
                "scores": steps.scores[:, rows].tolist(),
                "scaled": steps.scaled[:, rows].tolist(),
                "weights": steps.weights[:, rows].tolist(),
                "output": steps.output[rows].tolist(),
            }
        )
    if arguments.projections == "random":
        print(f"The projections are random (seed {arguments.seed}): an untrained layer, its looks mean nothing.")
    if layer.heads:
        print("A treebank has taught each head one relation. A head that finds nothing to look at rests at [start].")
        if unknown:
            say(f"Without a vector, so known by position alone: {', '.join(unknown)}.")
    else:
        for token in unknown:
            say(f"{lookup(vectors, token).explanation} It takes no part.")
    for head in range(layer.num_heads):
        if layer.heads:
            card = layer.heads[head]
            print(
                f"\nhead {head + 1}, {card.name}: right for {card.accuracy:.1%} of {card.examples:,} test words "
                f"(always looking {card.best_offset:+d}: {card.offset_accuracy:.1%})"
            )
        elif layer.num_heads > 1:
            print(f"\nhead {head + 1} of {layer.num_heads}, d_k = {layer.d_k}")
        if arguments.query is None:
            table = [(keys[row], *(f"{w:.2f}" for w in steps.weights[head, row])) for row in rows]
            print_table(["looks at →", *keys], table)
        else:
            query = rows[0]
            columns = (steps.scores[head, query], steps.scaled[head, query], steps.weights[head, query])
            numbers = zip(keys, *columns, strict=True)
            table = [(t, f"{score:.3f}", f"{scaled:.3f}", f"{w:.4f}") for t, score, scaled, w in numbers]
            total = float(steps.weights[head, query].sum())
            scaled_title = f"÷√{layer.d_k}"
            print_table([f"{keys[query]} looks at", "score", scaled_title, "weight"], table)
            print(f"the weights add to {total:.4f}")
    return 0


def _layer_and_input(
    arguments: argparse.Namespace, vectors: "KeyedVectors", tokens: list[str]
) -> tuple["MultiHeadAttention", "np.ndarray"]:
    """Return the layer that the options ask for, and the matrix X that it reads."""
    from playground.attention.multihead import MultiHeadAttention
    from playground.attention.positions import sinusoidal_positions
    from playground.words.tokens import embed

    if arguments.projections == "learned":
        if arguments.heads is not None:
            raise PlaygroundError("The learned layer has eight heads of its own: leave --heads out.")
        layer = MultiHeadAttention.learned()
        return layer, layer.prepare(vectors, tokens)
    x = embed(vectors, tokens)
    n, d_model = x.shape
    if arguments.positions:
        x = x + sinusoidal_positions(n, d_model).astype(x.dtype)
    heads = 1 if arguments.heads is None else arguments.heads
    if arguments.projections == "random":
        return MultiHeadAttention.random(d_model, heads, seed=arguments.seed), x
    return MultiHeadAttention.identity(d_model, heads), x


def _position_of(vectors: "KeyedVectors", word: str, tokens: list[str]) -> int:
    from playground.words.tokens import known_form

    form = known_form(vectors, word.strip()) if word.strip() else None
    if form not in tokens:
        raise PlaygroundError(
            f"The query {shorten(word)!r} is not in the sentence. Its words are: {', '.join(tokens)}."
        )
    return tokens.index(form)


def _pairs(found: list[Any]) -> list[dict[str, Any]]:
    return [{"word": one.word, "similarity": one.similarity} for one in found]
