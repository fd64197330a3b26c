//===- FunctionBuilder.h - Builds one function, a call an operation -*- C++
//-*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_FUNCTIONBUILDER_H
#define WAX_PYTHON_FUNCTIONBUILDER_H

#include "Function.h"
#include "Kernel.h"
#include "Types.h"

#include "mlir/IR/Builders.h"
#include "wax/Dialect/ShapeRelation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

namespace mlir::wax::python {

/// A size as Python sees it, its dims and symbols spelled by `spellLeaf`.
nanobind::object
spellSize(AffineExpr expr,
          function_ref<nanobind::object(AffineExpr)> spellLeaf);

/// What a size is made of: a dim of a value, or with -1 an index value itself.
nanobind::object spellSource(int64_t value, int64_t dim);

/// `wax._native.FunctionBuilder`. Values are numbers, handed out in order.
class FunctionBuilder {
public:
  using Numbers = std::vector<int64_t>;
  using NumberLists = std::vector<Numbers>;
  using Sizes = std::vector<SizeArgument>;
  using At = const SourceLocation *;

  FunctionBuilder(const std::string &name, At location);

  int64_t argument(const Sizes &shape, const std::string &element, At location);
  void setArgumentAttribute(int64_t value, const std::string &name,
                            const std::string &attribute);
  void setResultAttribute(int64_t result, const std::string &name,
                          const std::string &attribute);
  void setAttribute(const std::string &name, const std::string &attribute);

  // IndexGlue.cpp
  int64_t indexConstant(int64_t value);
  int64_t dim(int64_t value, int64_t axis);
  int64_t indexOp(const std::string &kind, int64_t lhs, int64_t rhs);
  nanobind::tuple indexToTensor(int64_t index, const std::string &element,
                                At location);

  // ControlFlow.cpp
  nanobind::tuple if_(int64_t condition, std::shared_ptr<Function> then,
                      const Numbers &thenCaptured,
                      std::shared_ptr<Function> otherwise,
                      const Numbers &otherwiseCaptured, At location);
  nanobind::tuple for_(SizeArgument count, const Numbers &inits,
                       std::shared_ptr<Function> body, const Numbers &carried,
                       const Numbers &captured, At location);
  nanobind::tuple while_(const Numbers &inits,
                         std::shared_ptr<Function> condition,
                         const Numbers &conditionCaptured,
                         std::shared_ptr<Function> body,
                         const Numbers &bodyCaptured,
                         std::optional<int64_t> maxSteps, At location);
  int64_t tensorToIndex(int64_t value, At location);

  // Checkpoint.cpp
  nanobind::tuple
  checkpoint(std::shared_ptr<Function> body, const Numbers &operands,
             const std::vector<std::vector<std::string>> &saving,
             bool mergeable, At location);

  // BasisCalls.cpp
  nanobind::tuple constant(nanobind::bytes data, const Numbers &shape,
                           const std::string &element, At location);
  nanobind::tuple map(int64_t operand, const Kernel &kernel, At location);
  nanobind::tuple broadcast(const Numbers &inputs, const NumberLists &dims,
                            const Sizes &sizes, const Kernel &kernel,
                            At location);
  nanobind::tuple reduce(const Numbers &inputs, const Numbers &inits,
                         const Numbers &dims, const Kernel &fold,
                         const Kernel *combine, At location);
  nanobind::tuple scan(const Numbers &inputs, const Numbers &inits, int64_t dim,
                       bool exclusive, bool reverse, const Kernel &fold,
                       const Kernel *combine, At location);
  nanobind::tuple sort(const Numbers &inputs, int64_t dim,
                       const Kernel &comparator, At location);
  nanobind::tuple permute(int64_t operand, const Numbers &permutation,
                          At location);
  nanobind::tuple reshape(int64_t operand, const NumberLists &sourceGroups,
                          const NumberLists &resultGroups,
                          const Sizes &resultShape, At location);
  nanobind::tuple slice(int64_t operand, const Sizes &offsets,
                        const Sizes &sizes, const Numbers &strides,
                        At location);
  nanobind::tuple pad(int64_t operand, int64_t value, const Numbers &low,
                      const Numbers &high, const Numbers &interior,
                      At location);
  nanobind::tuple concat(const Numbers &inputs, int64_t dim, At location);
  nanobind::tuple gather(int64_t operand, const Numbers &indices,
                         const Numbers &operandDims,
                         const NumberLists &indexDims, At location);
  nanobind::tuple reverse(int64_t operand, const Numbers &dims, At location);
  nanobind::tuple insert(int64_t update, int64_t operand, const Sizes &offsets,
                         const Numbers &strides, At location);
  nanobind::tuple scatter(const Numbers &updates, const Numbers &inits,
                          const Numbers &indices, const Numbers &operandDims,
                          const NumberLists &indexDims, const Kernel &fold,
                          const Kernel *combine, At location);
  nanobind::tuple iota(int64_t dim, const Sizes &shape,
                       const std::string &element, At location);
  nanobind::tuple fft(int64_t operand, const Numbers &dims,
                      std::optional<int64_t> length, bool inverse, At location);
  nanobind::tuple window(int64_t operand, const Numbers &dims,
                         const Numbers &sizes, const Numbers &strides,
                         const Numbers &dilations, At location);
  nanobind::tuple fold(int64_t operand, int64_t init, const Numbers &dims,
                       const Sizes &sizes, const Numbers &strides,
                       const Numbers &dilations, const Kernel &fold,
                       const Kernel *combine, At location);
  nanobind::tuple convolve(int64_t lhs, int64_t rhs, const Numbers &lhsDims,
                           const Numbers &rhsDims, const Numbers &resultDims,
                           const Numbers &strides, const Numbers &low,
                           const Numbers &high, const Numbers &lhsDilations,
                           const Numbers &rhsDilations, int64_t featureGroups,
                           int64_t batchGroups, const std::string &element,
                           At location);

  nanobind::tuple axisIndex(const std::string &axis, At location);
  nanobind::tuple allGather(int64_t operand, SizeArgument size,
                            const std::string &axis, At location);
  nanobind::tuple psum(int64_t operand, const std::string &axis, At location);
  nanobind::tuple pmax(int64_t operand, const std::string &axis, bool minimum,
                       bool isUnsigned, At location);
  nanobind::tuple ppermute(int64_t operand, const std::string &axis,
                           const Numbers &sources, At location);
  nanobind::tuple name(int64_t operand, const std::string &name, At location);

  nanobind::tuple call(std::shared_ptr<Function> callee,
                       const Numbers &operands, At location);
  std::shared_ptr<Function> finish(const Numbers &results);

private:
  struct Created {
    nanobind::tuple results, constraints;
  };

  /// To be called first by every method; throws if the builder is finished.
  MLIRContext *enter() const;
  Block &getBlock() const { return function->getBody().front(); }
  mlir::Location at(At location) const;

  int64_t number(Value value);
  Value getValue(int64_t number) const;
  Value getTensor(int64_t number) const;
  SmallVector<Value> getTensors(ArrayRef<int64_t> numbers) const;
  Value getIndex(int64_t number) const;
  /// Appends the index values among `sizes` to `operands`, and gives the
  /// static sizes, with ShapedType::kDynamic for the others.
  SmallVector<int64_t> splitSizes(const Sizes &sizes,
                                  SmallVectorImpl<Value> &operands,
                                  StringRef what) const;
  RankedTensorType makeTensorType(const Sizes &shape, Type element) const;
  NamedAttribute parseAttribute(const std::string &name,
                                const std::string &text) const;

  /// Creates an operation of the basis: infers its types unless `stated`,
  /// verifies it, and asks it how its sizes relate.
  template <typename OpTy, typename SetProperties>
  Created create(mlir::Location location, ValueRange operands,
                 ArrayRef<const Kernel *> kernels, SetProperties setProperties,
                 Type stated = {});
  /// Creates an operation with regions by `build`; undoes what that made when
  /// it throws.
  nanobind::tuple
  createControl(llvm::function_ref<Operation *(OpBuilder &)> build);
  /// The symbol that calls of `callee` in this function have.
  StringAttr claimSymbol(std::shared_ptr<Function> callee);
  /// Clones a function's operations, its arguments replaced, and gives what it
  /// returns.
  SmallVector<Value> inlineBody(OpBuilder &builder, const Function &body,
                                ValueRange arguments);
  /// The same, ended by a yield of values of `types`.
  void yieldAs(OpBuilder &builder, mlir::Location loc, const Function &body,
               ValueRange arguments, TypeRange types);
  /// A result as Python sees it: its number, its sizes, its element type.
  nanobind::tuple describe(int64_t number, nanobind::object shape) const;
  /// A result whose dynamic sizes are its own.
  nanobind::tuple describeOwn(int64_t number) const;
  /// A size as Python sees it.
  nanobind::object spellSize(AffineExpr expr, const SizeSources &sources) const;
  nanobind::tuple spellSizes(ArrayRef<AffineExpr> sizes, RankedTensorType type,
                             const SizeSources &sources) const;
  nanobind::tuple spellConstraints(ArrayRef<SizeConstraint> constraints,
                                   const SizeSources &sources) const;

  HeldOp<func::FuncOp> function;
  bool finished = false;
  std::vector<Value> values;
  llvm::DenseMap<Value, int64_t> numbers;
  std::vector<NamedAttrList> argumentAttributes;
  std::vector<std::pair<int64_t, NamedAttribute>> resultAttributes;
  llvm::DenseMap<int64_t, int64_t> indexConstants;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> dims;
  std::vector<Function::Callee> callees;
  llvm::StringSet<> calleeSymbols;
};

void bindFunctionBuilder(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_FUNCTIONBUILDER_H
