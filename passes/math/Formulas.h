//===- Formulas.h - Which formula stands for which operation ----*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_FORMULAS_H
#define WAX_PASSES_MATH_FORMULAS_H

#include "DoubleWord.h"
#include "Scalars.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::wax::formula {

/// What an operation on floats of one format becomes; a result for each of its
/// own.
using Formula = std::function<SmallVector<Real>(ArrayRef<Real>)>;

/// The formulas by the operation they stand for.
class Formulas {
public:
  template <typename OpTy> void add(Real (*function)(Real)) {
    table[TypeID::get<OpTy>()] = [=](ArrayRef<Real> x) {
      return SmallVector<Real>{function(x[0])};
    };
  }
  template <typename OpTy> void add(Real (*function)(Real, Real)) {
    table[TypeID::get<OpTy>()] = [=](ArrayRef<Real> x) {
      return SmallVector<Real>{function(x[0], x[1])};
    };
  }
  template <typename OpTy> void add(Formula formula) {
    table[TypeID::get<OpTy>()] = std::move(formula);
  }

  /// Null where there is none.
  const Formula *lookup(Operation *op) const {
    auto found = table.find(op->getName().getTypeID());
    return found == table.end() ? nullptr : &found->second;
  }

private:
  llvm::DenseMap<TypeID, Formula> table;
};

//===----------------------------------------------------------------------===//
// Families: each adds its formulas.
//===----------------------------------------------------------------------===//

void addExponentials(Formulas &formulas);
void addLogarithms(Formulas &formulas);
void addPowers(Formulas &formulas);
void addRoots(Formulas &formulas);
void addRemainder(Formulas &formulas);
void addTrigonometrics(Formulas &formulas);
void addInverseTrigonometrics(Formulas &formulas);
void addHyperbolics(Formulas &formulas);
void addErrorFunctions(Formulas &formulas);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_FORMULAS_H
