"""Choice among equal programs: `wax.jit(f, optimize="egraph")`.

Sums of products can be computed in many ways that cost more or less: `(a @ b) @ v` or `a @ (b @ v)`. Rewriting one
step after the other does not find the cheapest, because a step may cost first and pay later. Here the parts of a
program that are sums and products become terms (`_parts`, `_recognition`, `_encoding`); egglog fills a graph with all
that equals them by a few laws (`_laws`, `_egraph`), and outside rules (`wax.rules`) beside them; the cheapest set of
steps by the cost of a platform is taken out of it (`_extraction`) and put in the place of what was there (`_building`,
`_replacing`), if the program costs less then (`_choosing`).
"""

from wax.choose._choosing import Search, choose
from wax.choose._explanation import Explanation, explain
from wax.choose._laws import LAWS, Law
from wax.choose._replacing import Choice

__all__ = ["LAWS", "Choice", "Explanation", "Law", "Search", "choose", "explain"]
