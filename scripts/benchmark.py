"""Measure the playground against known answers: `python scripts/benchmark.py NAME`.

Each benchmark is a file of scripts/benchmarks whose first line says what it measures and whose
`main(arguments)` prints it. Without a name, or with --help, the benchmarks are listed.
"""

import ast
import importlib
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "benchmarks"
# The benchmarks lie beside this file and measure the package of this very checkout.
sys.path[:0] = [str(FOLDER.parent), str(FOLDER.parents[1])]


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark that the first argument names, with the others; return its exit code."""
    from playground.errors import PlaygroundError

    name, *rest = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    names = sorted(path.stem for path in FOLDER.glob("*.py"))
    if name in ("-h", "--help"):
        print(f"{(__doc__ or '').splitlines()[0]}\n")
        print("\n".join(f"  {one:<12} {purpose(one)}" for one in names))
        return 0
    if name not in names:
        print(f"There is no benchmark {name!r}: give one of {', '.join(names)}.", file=sys.stderr)
        return 2
    try:
        return int(importlib.import_module(f"benchmarks.{name}").main(rest))
    except PlaygroundError as error:
        print(error, file=sys.stderr)
        return 2


def purpose(name: str) -> str:
    """Return the first line of a benchmark's docstring, without importing what it needs."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
