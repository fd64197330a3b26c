"""all-MiniLM-L6-v2 in PyTorch: the judge of `sentence_embeddings.py --check`, and a peer in the benchmarks.

It shares the weights with `minilm.py` and no code: each function is PyTorch's own.
"""

import json
from pathlib import Path
from typing import Any

import minilm
import numpy as np
import torch
import torch.nn.functional as F


def load(folder: Path, dtype: torch.dtype = torch.float32) -> minilm.Parameters:
    """The parameters as tensors. In float64 they make a judge of float32 results."""
    config = json.loads((folder / "config.json").read_text())
    checkpoint = {name: torch.from_numpy(value) for name, value in minilm.tensors(folder).items()}
    return minilm.parameters(
        {name: t.to(dtype) if t.is_floating_point() else t for name, t in checkpoint.items()}, config
    )


@torch.inference_mode()
def embed(p: minilm.Parameters, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Sentence embeddings; see `minilm.embeddings`."""
    batch, length = ids.shape
    width = (p.words.shape[1],)
    x = F.embedding(ids, p.words) + p.segments[0] + p.positions[:length]
    x = F.layer_norm(x, width, *p.norm, minilm.EPSILON)
    attend = mask[:, None, None, :].bool()
    for layer in p.layers:
        query, key, value = (
            F.linear(x, *one).view(batch, length, minilm.HEADS, -1).transpose(1, 2)
            for one in (layer.query, layer.key, layer.value)
        )
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=attend)
        mixed = mixed.transpose(1, 2).reshape(batch, length, -1)
        x = F.layer_norm(x + F.linear(mixed, *layer.output), width, *layer.attention_norm, minilm.EPSILON)
        hidden = F.linear(F.gelu(F.linear(x, *layer.up)), *layer.down)
        x = F.layer_norm(x + hidden, width, *layer.output_norm, minilm.EPSILON)
    weight = mask[:, :, None].to(x.dtype)
    mean = (x * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
    return F.normalize(mean, dim=-1)


def numpy_embed(p: minilm.Parameters, ids: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """`embed` on NumPy arrays."""
    return embed(p, torch.from_numpy(ids), torch.from_numpy(mask)).numpy()
