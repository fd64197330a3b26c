"""Functions of neural networks, functional: parameters are arguments, nothing is stored.

Names are those of `jax.nn`, else of PyTorch's `functional`. Whatever normalizes or exponentiates computes float16 and
bfloat16 in float32 and rounds once, at the end.
"""

from __future__ import annotations

from wax.nn import initializers
from wax.nn.activations import (
    celu,
    elu,
    gelu,
    glu,
    hard_sigmoid,
    hard_silu,
    hard_swish,
    hard_tanh,
    identity,
    leaky_relu,
    log_sigmoid,
    mish,
    prelu,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    soft_sign,
    softplus,
    sparse_plus,
    sparse_sigmoid,
    squareplus,
    swish,
)
from wax.nn.alignment import ctc_loss
from wax.nn.attention import attention
from wax.nn.channels import BatchNorm, batch_norm, batch_norm_training, group_norm, instance_norm
from wax.nn.convolution import conv, conv_transpose
from wax.nn.decoding import rotary_embedding, update_cache
from wax.nn.dropping import dropout
from wax.nn.layers import embedding, linear, one_hot
from wax.nn.losses import (
    binary_cross_entropy_with_logits,
    cosine_similarity,
    cross_entropy,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from wax.nn.normalization import layer_norm, log_softmax, logsumexp, normalize, rms_norm, softmax, standardize
from wax.nn.pooling import adaptive_avg_pool, adaptive_max_pool, avg_pool, max_pool
from wax.numpy.exponential import tanh

__all__ = [
    "BatchNorm",
    "adaptive_avg_pool",
    "adaptive_max_pool",
    "attention",
    "avg_pool",
    "batch_norm",
    "batch_norm_training",
    "binary_cross_entropy_with_logits",
    "celu",
    "conv",
    "conv_transpose",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "glu",
    "group_norm",
    "hard_sigmoid",
    "hard_silu",
    "hard_swish",
    "hard_tanh",
    "huber_loss",
    "identity",
    "initializers",
    "instance_norm",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_sigmoid",
    "log_softmax",
    "logsumexp",
    "max_pool",
    "mish",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "prelu",
    "relu",
    "relu6",
    "rms_norm",
    "rotary_embedding",
    "selu",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "soft_sign",
    "softmax",
    "softplus",
    "sparse_plus",
    "sparse_sigmoid",
    "squareplus",
    "standardize",
    "swish",
    "tanh",
    "update_cache",
]
