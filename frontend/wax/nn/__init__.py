"""Functions of neural networks, functional: parameters are arguments, nothing is stored.

Whatever normalizes or exponentiates computes float16 and bfloat16 in float32 and rounds once, at the end.
"""

from __future__ import annotations

from wax.nn.activations import gelu, relu, sigmoid, silu, softplus
from wax.nn.attention import attention
from wax.nn.convolution import conv
from wax.nn.layers import embedding, linear, one_hot
from wax.nn.normalization import layer_norm, log_softmax, logsumexp, rms_norm, softmax
from wax.nn.pooling import avg_pool, max_pool
from wax.numpy.exponential import tanh

__all__ = [
    "attention",
    "avg_pool",
    "conv",
    "embedding",
    "gelu",
    "layer_norm",
    "linear",
    "log_softmax",
    "logsumexp",
    "max_pool",
    "one_hot",
    "relu",
    "rms_norm",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "tanh",
]
