"""What a program does, counted: arithmetic, memory that is read and written, and memory that it takes.

    wax.jit(f).lower(x).cost_analysis()

Everything is counted from the program, nothing is measured; `wax.profile` measures.
"""

from wax.cost._analysis import CostAnalysis, OperationCost, analyze

__all__ = ["CostAnalysis", "OperationCost", "analyze"]
