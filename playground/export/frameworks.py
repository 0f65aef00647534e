"""One layer of attention as runnable text in NumPy, PyTorch and Keras: the same numbers three times.

Each text ends with `weights (h, n, n)` and `output (n, d_model)`. Typed words enter as Python literals only.
"""

from collections.abc import Sequence

from playground.attention.edits import MOST_IN_TEXT, format_edits
from playground.attention.workbench import PADDING, LayerRun
from playground.export.python import load_lines

MATRICES_FILE = "matrices.json"  # the download of the view that holds all matrices


def frameworks_code(model: str, tokens: Sequence[str], run: LayerRun, layer: str = "") -> dict[str, str]:
    """Return the computation of `run` over the `tokens` as text: {"NumPy": …, "PyTorch": …, "Keras": …}.

    `tokens` are those of the sentence, without padding. `layer` is the Python expression of a layer that
    took the place of the setup's projections, one with a method `prepare(vectors, tokens)`.
    """
    given = _given(model, tokens, run, layer)
    return {"NumPy": given + _numpy(), "PyTorch": given + _torch(run), "Keras": given + _keras(run)}


def _given(model: str, tokens: Sequence[str], run: LayerRun, layer: str) -> str:
    """Return the lines that make X, W_Q, W_K, W_V, W_O, the mask and the scale."""
    setup = run.setup
    lines = [load_lines(model) + "import numpy as np", "", f"tokens = {list(tokens)!r}"]
    if layer:
        lines += [f"layer = {layer}", "X = layer.prepare(vectors, tokens).astype(float)  # (n, d_model)"]
    else:
        lines += ["X = pg.embed(vectors, tokens).astype(float)  # (n, d_model)"]
    if setup.hand_size:
        lines += [
            "# hand size: the first principal components, without subtracting the mean, to one decimal",
            "from playground.attention.workbench import hand_size",
            "",
            f"X, share = hand_size(X, {setup.hand_size})",
        ]
    if setup.mask == "padding":
        lines += [f"X = np.concatenate([X, np.zeros(({PADDING}, X.shape[1]))])  # {PADDING} rows of padding"]
    if setup.position_strength:
        rounded = ".round(1)" if setup.hand_size else ""
        factor = "" if setup.position_strength == 1 else f"{setup.position_strength!r} * "
        positions = f"{factor}pg.sinusoidal_positions(*X.shape)"
        lines += [f"X = X + {f'({positions}){rounded}' if rounded else positions}"]
    if not layer:
        lines += [f"layer = pg.MultiHeadAttention.{_maker(run)}"]
    rounded = ".round(1)" if setup.hand_size and setup.projections == "random" else ""
    lines += [
        f"W_Q, W_K, W_V, W_O = (w.astype(float){rounded} for w in (layer.w_q, layer.w_k, layer.w_v, layer.w_o))",
        f"mask = {_mask(setup.mask)}  # True: the row's word may look at the column's",
    ]
    lines += _edits(run)
    root = "np.sqrt(W_Q.shape[2])" if setup.scale else "1"
    temperature = "" if setup.temperature == 1 else f" / {setup.temperature!r}"
    comment = "  # 1 / √d_k" if setup.scale else "  # not divided by √d_k"
    if temperature:
        comment += ", and the temperature"
    lines += [
        f"scale = 1 / {root}{temperature}{comment}",
        "n, (h, d_model, d_k), d_v = len(X), W_Q.shape, W_V.shape[2]",
    ]
    return "\n".join(lines) + "\n\n"


def _maker(run: LayerRun) -> str:
    setup = run.setup
    if setup.projections == "identity":
        return f"identity(X.shape[1], {setup.num_heads})"
    d_k = "" if setup.d_k is None else f", d_k={setup.d_k}"
    return f"random(X.shape[1], {setup.num_heads}{d_k}, seed={setup.seed})"


def _mask(mask: str) -> str:
    if mask == "causal":
        return "np.tri(len(X), dtype=bool)"
    if mask == "padding":
        return f"np.tile(np.arange(len(X)) < len(X) - {PADDING}, (len(X), 1))"
    return "np.ones((len(X), len(X)), dtype=bool)"


def _edits(run: LayerRun) -> list[str]:
    edits = [edit for edit in run.setup.edits if edit.fits(run.matrices[edit.matrix].shape)]
    if not edits:
        return []
    if len(edits) > MOST_IN_TEXT:
        return [
            f'# {len(edits)} cells were edited: download "{MATRICES_FILE}" from the view, beside this script',
            "import json",
            "",
            f'with open("{MATRICES_FILE}", encoding="utf-8") as file:',
            "    edited = {name: np.array(numbers) for name, numbers in json.load(file).items()}",
            'X, W_Q, W_K, W_V, W_O = (edited[name] for name in ("X", "W_Q", "W_K", "W_V", "W_O"))',
            'mask = edited["mask"].astype(bool)',
        ]
    return [f"# the edited cells, counted from 1: {format_edits(edits)}"] + [
        f"{edit.matrix}[{', '.join(map(str, edit.place))}] = "
        + (repr(bool(edit.value)) if edit.matrix == "mask" else repr(edit.value))
        for edit in edits
    ]


def _numpy() -> str:
    return """outputs, weights = [], []
for w_q, w_k, w_v in zip(W_Q, W_K, W_V):  # one head after the other
    Q, K, V = X @ w_q, X @ w_k, X @ w_v  # (n, d_k), (n, d_k), (n, d_v)
    scaled = np.where(mask, Q @ K.T * scale, -np.inf)  # (n, n)
    highest = scaled.max(axis=1, keepdims=True)
    exponentials = np.exp(scaled - np.where(np.isinf(highest), 0, highest))
    total = exponentials.sum(axis=1, keepdims=True)
    weights.append(exponentials / np.where(total == 0, 1, total))  # each row adds to 1, or to 0 if all is blocked
    outputs.append(weights[-1] @ V)  # (n, d_v)
weights = np.stack(weights)  # (h, n, n)
output = np.concatenate(outputs, axis=1) @ W_O  # (n, d_model)
print(weights.round(3), output.round(3), sep="\\n")

# the library does the same in one call
steps = pg.MultiHeadAttention(W_Q, W_K, W_V, W_O)(X, attn_mask=mask, scale=scale)
assert np.allclose(output, steps.output) and np.allclose(weights, steps.weights)
"""


def _blind(run: LayerRun) -> bool:
    """Tell whether some word may look nowhere."""
    return not bool(run.mask.any(axis=1).all())


def _torch(run: LayerRun) -> str:
    blind = ""
    if _blind(run):
        blind = "weights = torch.nan_to_num(weights)  # a word that may look nowhere: 0/0 in PyTorch, 0 here\n"
    code = f"""import torch
import torch.nn.functional as F

x, w_q, w_k, w_v, w_o = map(torch.from_numpy, (X, W_Q, W_K, W_V, W_O))  # float64
allowed = torch.from_numpy(mask)
Q, K, V = x @ w_q, x @ w_k, x @ w_v  # (h, n, d_k), (h, n, d_k), (h, n, d_v)
# F.scaled_dot_product_attention keeps its weights to itself, so here they are by hand
scaled = (Q @ K.transpose(1, 2) * scale).masked_fill(~allowed, -torch.inf)  # (h, n, n)
weights = F.softmax(scaled, dim=-1)
{blind}heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed, scale=scale)  # (h, n, d_v)
"""
    if _blind(run):
        code += "heads = heads.masked_fill(~allowed.any(dim=1)[:, None], 0)  # nor does it take over anything\n"
    code += """output = heads.transpose(0, 1).reshape(n, h * d_v) @ w_o  # the heads side by side, then mixed
print(weights, output, sep="\\n")
"""
    layer = run.layer
    if layer.num_heads * layer.d_k != layer.d_model or layer.d_v != layer.d_k:
        return code + (
            f"\n# torch.nn.MultiheadAttention cannot express this layer: it wants h · d_k = d_model, and here\n"
            f"# {layer.num_heads} · {layer.d_k} = {layer.num_heads * layer.d_k}, not {layer.d_model}.\n"
        )
    code += f"""
# The same with torch.nn.MultiheadAttention, not in training: eval(). Its weights stand transposed, all heads in
# one matrix.
{_FIXED_SCALE}
module = torch.nn.MultiheadAttention(d_model, h, bias=False, batch_first=True, dtype=torch.float64).eval()
with torch.no_grad():
    big = [w.transpose(0, 1).reshape(d_model, d_model).T for w in (w_q * scale * d_k**0.5, w_k, w_v)]
    module.in_proj_weight.copy_(torch.cat(big))  # (3 · d_model, d_model)
    module.out_proj.weight.copy_(w_o.T)
    # a boolean attn_mask is True here where attention is NOT allowed
    again, its_weights = module(x[None], x[None], x[None], attn_mask=~allowed, average_attn_weights=False)
"""
    if _blind(run):
        code += "    again, its_weights = torch.nan_to_num(again), torch.nan_to_num(its_weights)\n"
    return code + "assert torch.allclose(again[0], output) and torch.allclose(its_weights[0], weights)\n"


_FIXED_SCALE = "# It always divides by √d_k, so another scale or temperature goes into W_Q."


def _keras(run: LayerRun) -> str:
    code = f"""import os

os.environ.setdefault("KERAS_BACKEND", "torch")  # or "tensorflow", "jax"
import keras

# Keras keeps the heads on an axis of their own: (d_model, h, d_k). {_FIXED_SCALE[2:]}
layer = keras.layers.MultiHeadAttention(
    num_heads=h, key_dim=d_k, value_dim=d_v, output_shape=d_model, use_bias=False, dtype="float64"
)
batch = X[None]  # (1, n, d_model)
layer(batch, batch)  # the first call makes the weights
layer.set_weights([
    (W_Q * scale * np.sqrt(d_k)).transpose(1, 0, 2),  # query (d_model, h, d_k)
    W_K.transpose(1, 0, 2),  # key
    W_V.transpose(1, 0, 2),  # value (d_model, h, d_v)
    W_O.reshape(h, d_v, d_model),  # output
])
output, weights = layer(batch, batch, attention_mask=mask[None], return_attention_scores=True)
output, weights = (keras.ops.convert_to_numpy(result)[0] for result in (output, weights))
"""
    if _blind(run):
        code += """# Keras lets a word that may look nowhere look at all alike; here it gets nothing
sees = mask.any(axis=1)
output, weights = output * sees[:, None], weights * sees[:, None]
"""
    return code + 'print(weights.round(3), output.round(3), sep="\\n")\n'
