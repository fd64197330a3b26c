//===- ConvolveOps.cpp - convolve -----------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSizes.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Rule
//===----------------------------------------------------------------------===//

static LogicalResult checkAttributes(ConvolveOp::Adaptor op,
                                     RelationBuilder &builder) {
  const Fault &fault = builder.fault;
  int64_t rank = getTensor(op.getLhs()).getRank();
  int64_t rhsRank = getTensor(op.getRhs()).getRank();
  if (rank != rhsRank || rank < 2)
    return fault("convolve_c1", "the operands have ranks ", rank, " and ",
                 rhsRank, ", which must be equal and at least 2");
  std::pair<StringRef, ArrayRef<int64_t>> orders[] = {
      {"lhs_dims", op.getLhsDims()},
      {"rhs_dims", op.getRhsDims()},
      {"result_dims", op.getResultDims()}};
  for (auto [name, dims] : orders)
    if (!isPermutation(dims, rank))
      return fault("convolve_c1", name, " ", list(dims),
                   " do not name each of ", rank, " dims once");

  std::tuple<StringRef, ArrayRef<int64_t>, int64_t> lists[] = {
      {"strides", op.getStrides(), 1},
      {"low", op.getLow(), -kGreatestAmount},
      {"high", op.getHigh(), -kGreatestAmount},
      {"lhs_dilations", op.getLhsDilations(), 1},
      {"rhs_dilations", op.getRhsDilations(), 1}};
  for (auto [name, entries, least] : lists) {
    StringRef one = name;
    one.consume_back("s");
    if (failed(checkOneEntryPerDim(entries, rank - ConvolveOp::kSpatial,
                                   "convolve_c2", name, fault)) ||
        failed(builder.requireWithin(
            entries, least, kGreatestAmount, "convolve_c3", one,
            op.getLhsDims().drop_front(ConvolveOp::kSpatial))))
      return failure();
  }
  int64_t features = op.getFeatureGroups(), batches = op.getBatchGroups();
  for (int64_t groups : {features, batches})
    if (groups < 1 || groups > kGreatestAmount)
      return fault("convolve_c3", features, " feature groups and ", batches,
                   " batch groups: both must lie between 1 and ",
                   kGreatestAmount);
  if (features > 1 && batches > 1)
    return fault("convolve_c4", features, " feature groups and ", batches,
                 " batch groups: one of them must be 1");
  return success();
}

static LogicalResult checkElements(ConvolveOp::Adaptor op, Fault fault) {
  Type lhs = getElement(op.getLhs()), rhs = getElement(op.getRhs());
  if (lhs != rhs)
    return fault("convolve_c9", "the operands have element types ", lhs,
                 " and ", rhs);
  if (lhs.isInteger(1))
    return fault("convolve_c9", "the element type is ", lhs);
  // An integer, a float, or a float of a complex.
  auto part = [](Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    return complex ? complex.getElementType() : type;
  };
  Type from = part(lhs), to = part(op.getElement());
  bool isWider = isa<ComplexType>(lhs) == isa<ComplexType>(op.getElement()) &&
                 isa<FloatType>(from) == isa<FloatType>(to) &&
                 to.isIntOrFloat() &&
                 from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  if (from != to && !isWider)
    return fault("convolve_c9", "the operands' element type ", lhs,
                 " does not widen to the result's ", op.getElement());
  return success();
}

/// The elements along spatial dim `i` of `lhs` with what is put between and
/// around them.
static FailureOr<AffineExpr> getPaddedSize(ConvolveOp::Adaptor op, unsigned i,
                                           RelationBuilder &builder) {
  const SizeSources &sizes = builder.sizes;
  int64_t dim = op.getLhsDims()[ConvolveOp::kSpatial + i];
  int64_t low = op.getLow()[i], high = op.getHigh()[i];
  int64_t dilation = op.getLhsDilations()[i];
  AffineExpr size = sizes.dim(op.getLhs(), dim), dilated = size;
  if (dilation > 1 && getStaticSize(size) != 0) {
    if (failed(builder.requireAtMost(sizes.constant(1), size, "convolve_c8",
                                     "dim ", dim, " has no element")))
      return failure();
    dilated = getSpan(size, dilation);
  }
  AffineExpr padded = dilated + (low + high);
  if (failed(builder.requireAtMost(
          sizes.constant(0), padded, "convolve_c7", "dim ", dim, " of size ",
          getStaticSize(size), " becomes negative with low ", low, ", high ",
          high, " and dilation ", dilation)))
    return failure();
  return padded;
}

static FailureOr<ShapeRelation> relate(ConvolveOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RelationBuilder builder(sizes, fault);
  if (failed(checkAttributes(op, builder)) || failed(checkElements(op, fault)))
    return failure();
  using Role = ConvolveOp;
  auto lhs = [&](unsigned role) {
    return sizes.dim(op.getLhs(), op.getLhsDims()[role]);
  };
  auto rhs = [&](unsigned role) {
    return sizes.dim(op.getRhs(), op.getRhsDims()[role]);
  };

  int64_t featureGroups = op.getFeatureGroups();
  int64_t batchGroups = op.getBatchGroups();
  AffineExpr seen = getMultiple(rhs(Role::kIn), featureGroups);
  if (failed(builder.requireEqual(
          lhs(Role::kFeature), seen, "convolve_c5", "lhs has ",
          getStaticSize(lhs(Role::kFeature)), " features, but rhs has ",
          getStaticSize(rhs(Role::kIn)), " ins for each of ", featureGroups,
          " groups")))
    return failure();
  auto divide = [&](AffineExpr size, int64_t groups, StringRef what) {
    return builder.requireEqual(size % groups, sizes.constant(0), "convolve_c6",
                                what, " of size ", getStaticSize(size),
                                " is not a multiple of ", groups, " groups");
  };
  if (failed(divide(rhs(Role::kOut), featureGroups, "o")) ||
      failed(divide(rhs(Role::kOut), batchGroups, "o")) ||
      failed(divide(lhs(Role::kBatch), batchGroups, "the batch")))
    return failure();

  SmallVector<AffineExpr> dims(op.getResultDims().size());
  dims[op.getResultDims()[Role::kBatch]] =
      lhs(Role::kBatch).floorDiv(batchGroups);
  dims[op.getResultDims()[Role::kFeature]] = rhs(Role::kOut);
  // Of x, what is known of it.
  SmallVector<int64_t> shape(getTensor(op.getLhs()).getShape());
  for (auto [i, stride] : llvm::enumerate(op.getStrides())) {
    FailureOr<AffineExpr> padded = getPaddedSize(op, i, builder);
    if (failed(padded))
      return failure();
    int64_t known = getStaticSize(*padded);
    shape[op.getLhsDims()[Role::kSpatial + i]] =
        ShapedType::isDynamic(known) ? op.getLhsDilations()[i] : known;
    if (!areSizesInReach(shape))
      return fault("convolve_c7", "lhs of ", op.getLhs().getType(),
                   " with low ", list(op.getLow()), ", high ",
                   list(op.getHigh()), " and dilations ",
                   list(op.getLhsDilations()), " has more than 2^47 elements");
    FailureOr<AffineExpr> windows = countWindows(
        builder, *padded,
        getSpan(rhs(Role::kSpatial + i), op.getRhsDilations()[i]), stride,
        "convolve_c8", op.getLhsDims()[Role::kSpatial + i]);
    if (failed(windows))
      return failure();
    dims[op.getResultDims()[Role::kSpatial + i]] = *windows;
  }
  builder.addResult(std::move(dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(ConvolveOp)

LogicalResult ConvolveOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> location,
                                           Adaptor op,
                                           SmallVectorImpl<Type> &types) {
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()),
             Fault(location, getOperationName()));
  if (failed(relation))
    return failure();
  types.push_back(getTensorType(relation->results.front(), op.getElement()));
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

// What `lhs_dims` and `result_dims`, and what `rhs_dims`, call the first two
// of their dims.
static constexpr StringRef kTensorNames[] = {"b", "f"};
static constexpr StringRef kKernelNames[] = {"i", "o"};

/// Reads `[b, 0, 1, f]`, the roles in the order of the dims.
static ParseResult parseRoles(OpAsmParser &parser, ArrayRef<StringRef> names,
                              DenseI64ArrayAttr &dims) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> roles;
  auto parseRole = [&]() -> ParseResult {
    for (auto [role, name] : llvm::enumerate(names))
      if (succeeded(parser.parseOptionalKeyword(name))) {
        roles.push_back(role);
        return success();
      }
    int64_t number;
    OptionalParseResult spatial = parser.parseOptionalInteger(number);
    if (!spatial.has_value())
      return parser.emitError(parser.getCurrentLocation())
             << "expected '" << names[0] << "', '" << names[1]
             << "' or the number of a spatial dim";
    roles.push_back(ConvolveOp::kSpatial + number);
    return *spatial;
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseRole))
    return failure();
  if (!isPermutation(roles, roles.size()))
    return parser.emitError(loc)
           << "expected '" << names[0] << "', '" << names[1]
           << "' and the numbers of the spatial dims, each of them once";
  SmallVector<int64_t> ordered(roles.size());
  for (auto [dim, role] : llvm::enumerate(roles))
    ordered[role] = dim;
  dims = parser.getBuilder().getDenseI64ArrayAttr(ordered);
  return success();
}

static void printRoles(OpAsmPrinter &printer, ArrayRef<StringRef> names,
                       ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(llvm::seq<int64_t>(0, dims.size()), printer,
                        [&](int64_t dim) {
                          size_t role = llvm::find(dims, dim) - dims.begin();
                          if (role < names.size())
                            printer << names[role];
                          else
                            printer << role - names.size();
                        });
  printer << ']';
}

ParseResult ConvolveOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  OpAsmParser::UnresolvedOperand lhs, rhs;
  FunctionType type;
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  auto parseList = [&](DenseI64ArrayAttr &entries) -> ParseResult {
    entries = llvm::cast_if_present<DenseI64ArrayAttr>(
        DenseI64ArrayAttr::parse(parser, Type()));
    return success(bool(entries));
  };
  auto parseDilations = [&](StringRef keyword,
                            DenseI64ArrayAttr &entries) -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword(keyword)))
      return parseList(entries);
    entries = builder.getDenseI64ArrayAttr(
        SmallVector<int64_t>(properties.strides.size(), 1));
    return success();
  };
  auto parseGroups = [&](StringRef keyword,
                         IntegerAttr &groups) -> ParseResult {
    int64_t number = 1;
    if (succeeded(parser.parseOptionalKeyword(keyword)) &&
        parser.parseInteger(number))
      return failure();
    groups = builder.getI64IntegerAttr(number);
    return success();
  };
  if (parser.parseOperand(lhs) ||
      parseRoles(parser, kTensorNames, properties.lhs_dims) ||
      parser.parseComma() || parser.parseOperand(rhs) ||
      parseRoles(parser, kKernelNames, properties.rhs_dims) ||
      parser.parseKeyword("to") ||
      parseRoles(parser, kTensorNames, properties.result_dims) ||
      parser.parseKeyword("strides") || parseList(properties.strides) ||
      parser.parseKeyword("low") || parseList(properties.low) ||
      parser.parseKeyword("high") || parseList(properties.high) ||
      parseDilations("lhs_dilations", properties.lhs_dilations) ||
      parseDilations("rhs_dilations", properties.rhs_dilations) ||
      parseGroups("feature_groups", properties.feature_groups) ||
      parseGroups("batch_groups", properties.batch_groups) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands({lhs, rhs}, type.getInputs(), loc,
                             result.operands))
    return failure();
  RankedTensorType made = type.getNumResults() == 1
                              ? dyn_cast<RankedTensorType>(type.getResult(0))
                              : RankedTensorType();
  if (!made)
    return parser.emitError(loc, "expected one result, a ranked tensor");
  properties.element = TypeAttr::get(made.getElementType());
  result.addTypes(made);
  return success();
}

void ConvolveOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getLhs();
  printRoles(printer, kTensorNames, getLhsDims());
  printer << ", " << getRhs();
  printRoles(printer, kKernelNames, getRhsDims());
  printer << " to ";
  printRoles(printer, kTensorNames, getResultDims());
  std::tuple<StringRef, DenseI64ArrayAttr, bool> lists[] = {
      {"strides", getStridesAttr(), true},
      {"low", getLowAttr(), true},
      {"high", getHighAttr(), true},
      {"lhs_dilations", getLhsDilationsAttr(), false},
      {"rhs_dilations", getRhsDilationsAttr(), false}};
  for (auto [name, entries, isAlways] : lists) {
    if (!isAlways && llvm::all_of(entries.asArrayRef(),
                                  [](int64_t entry) { return entry == 1; }))
      continue;
    printer << ' ' << name << ' ';
    entries.print(printer);
  }
  if (getFeatureGroups() != 1)
    printer << " feature_groups " << getFeatureGroups();
  if (getBatchGroups() != 1)
    printer << " batch_groups " << getBatchGroups();
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
}
