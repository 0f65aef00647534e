"""All steps of one layer of attention: the playground and torch.nn.MultiheadAttention side by side."""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from playground.attention.multihead import MultiHeadAttention


@dataclass(frozen=True)
class Size:
    """One line of the table; `bound` is the greatest ratio of our time to PyTorch's that is a success."""

    tokens: int
    d_model: int
    heads: int
    bound: float
    rounds: int


SIZES = (Size(12, 100, 8, 1.0, 3000), Size(12, 104, 8, 1.0, 3000), Size(512, 512, 8, 1.3, 60))


def main(arguments: list[str]) -> int:
    """Print medians of interleaved runs on one thread; 1 if a ratio is above its bound or the numbers differ."""
    parser = argparse.ArgumentParser(prog="benchmark.py attention", description=__doc__)
    parser.add_argument("--rounds", type=int, help="runs of each side for each size (default: 3,000 small, 60 large)")
    options = parser.parse_args(arguments)

    from threadpoolctl import threadpool_limits

    try:
        import torch
    except ImportError:
        torch = None
        print("PyTorch is not installed, so there is nothing to compare with: pip install torch")
    print("One thread, float32, no gradients, every step kept (PyTorch: its output and the weights of each head).")
    print("PyTorch takes only widths that the heads divide: beside our 100 stands its 104, the next one.\n")
    print(f"{'tokens × d_model × heads':<26}{'playground':>12}{'PyTorch':>12}{'ratio':>8}{'bound':>8}")
    failures = 0
    with threadpool_limits(limits=1):
        if torch is not None:
            torch.set_num_threads(1)
        for size in SIZES:
            failures += not _line(size, options.rounds or size.rounds, torch)
    return 1 if failures else 0


def _line(size: Size, rounds: int, torch: ModuleType | None) -> bool:
    """Measure one size, print its line, and tell whether it is a success."""
    name = f"{size.tokens} × {size.d_model} × {size.heads}"
    layer = MultiHeadAttention.random(size.d_model, size.heads)
    x = np.random.default_rng(0).standard_normal((size.tokens, size.d_model)).astype(np.float32)
    if torch is None:
        (ours,) = _medians([lambda: layer(x)], rounds)
        print(f"{name:<26}{_shown(ours):>12}")
        return True
    width = layer.d_k * size.heads
    # PyTorch's eval() runs no text: it takes the module out of training
    theirs = torch.nn.MultiheadAttention(width, size.heads, bias=False, batch_first=True).eval()
    tensor = torch.from_numpy(np.pad(x, ((0, 0), (0, width - size.d_model))))[None]
    _copy_weights(torch, layer, theirs)

    def run() -> object:
        return theirs(tensor, tensor, tensor, need_weights=True, average_attn_weights=False)

    with torch.inference_mode():
        output, weights = run()
        steps = layer(x)
        same = np.allclose(steps.weights, weights[0].numpy(), atol=1e-5) and np.allclose(
            steps.output, output[0, :, : size.d_model].numpy(), atol=1e-4
        )
        ours, others = _medians([lambda: layer(x), run], rounds)
    ratio = ours / others
    print(f"{name:<26}{_shown(ours):>12}{_shown(others):>12}{ratio:>8.2f}{size.bound:>8.1f}", end="")
    print("" if same else "  the numbers differ")
    return same and ratio <= size.bound


def _copy_weights(torch: ModuleType, layer: MultiHeadAttention, theirs: object) -> None:
    """Give PyTorch's layer our projections, filled up with zeros where it is wider."""
    width = layer.d_k * layer.num_heads
    extra = width - layer.d_model
    stacked = [
        np.pad(w.transpose(1, 0, 2).reshape(layer.d_model, width), ((0, extra), (0, 0))).T
        for w in (layer.w_q, layer.w_k, layer.w_v)
    ]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.from_numpy(np.concatenate(stacked)))
        theirs.out_proj.weight.copy_(torch.from_numpy(np.pad(layer.w_o, ((0, 0), (0, extra))).T))


def _medians(runs: list[Callable[[], object]], rounds: int) -> list[float]:
    """Return the median seconds of each run, taken in turn so that a busy moment meets all of them."""
    seconds: list[list[float]] = [[] for _ in runs]
    for turn in range(rounds + max(3, rounds // 20)):
        for run, spent in zip(runs, seconds, strict=True):
            started = time.perf_counter()
            run()
            if turn >= max(3, rounds // 20):  # the first ones warm up
                spent.append(time.perf_counter() - started)
    return [statistics.median(spent) for spent in seconds]


def _shown(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"
