"""Random numbers: functions of a key, the same on every backend and every machine.

    key = wax.random.key(42)
    key, sub = wax.random.split(key)
    noise = wax.random.normal(sub, (3, 4))

A key is an array of two `uint32`, and stands for a stream of random bits that can be asked for at any place: the
block cipher Threefry-2x32 with 20 rounds encrypts the place under the key (J. K. Salmon, M. A. Moraes, R. O. Dror and
D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011). A function gives the same numbers for the same
key each time, so a key is used once: `split` makes as many independent ones of it as are needed, `fold_in` the one
of a number. Bits, integers and uniform floats are those that `jax.random` draws from the key of these two words.

Parameters that are arrays broadcast against `shape`, which is their own where it is not given.
"""

from wax.random.bounded import bernoulli, rademacher, randint, triangular, truncated_normal, uniform
from wax.random.continuous import (
    cauchy,
    exponential,
    gumbel,
    laplace,
    logistic,
    lognormal,
    maxwell,
    normal,
    pareto,
    rayleigh,
    weibull_min,
)
from wax.random.counts import binomial, geometric, poisson
from wax.random.gammas import beta, chisquare, dirichlet, f, gamma, loggamma, t
from wax.random.keys import bits, fold_in, key, split
from wax.random.matrices import multivariate_normal, orthogonal
from wax.random.selection import categorical, choice, permutation

__all__ = [
    "bernoulli",
    "beta",
    "binomial",
    "bits",
    "categorical",
    "cauchy",
    "chisquare",
    "choice",
    "dirichlet",
    "exponential",
    "f",
    "fold_in",
    "gamma",
    "geometric",
    "gumbel",
    "key",
    "laplace",
    "loggamma",
    "logistic",
    "lognormal",
    "maxwell",
    "multivariate_normal",
    "normal",
    "orthogonal",
    "pareto",
    "permutation",
    "poisson",
    "rademacher",
    "randint",
    "rayleigh",
    "split",
    "t",
    "triangular",
    "truncated_normal",
    "uniform",
    "weibull_min",
]
