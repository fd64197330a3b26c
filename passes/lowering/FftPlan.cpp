//===- FftPlan.cpp - How a transform is put together ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FftPlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir::wax;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The largest small transform: its matrix is a constant of the program.
static constexpr int64_t kMaxRadix = 31;

/// What a pass over the elements costs beside a factor's products, in products
/// an element. Measured: a contraction of 2r by 2r does some 40 products in the
/// time that an element takes to be read, turned and written.
static constexpr int64_t kCostOfPass = 8;

namespace {
/// The cheapest factors of a length, found once for each of its divisors.
class Factorizer {
public:
  struct Choice {
    int64_t cost;
    int64_t radix; // The first factor, or 0 where there is none.
  };

  Choice choose(int64_t n) {
    if (n == 1)
      return {0, 1};
    if (auto known = choices.find(n); known != choices.end())
      return known->second;
    Choice best{0, 0};
    for (int64_t radix = kMaxRadix; radix >= 2; --radix) {
      if (n % radix != 0)
        continue;
      Choice rest = choose(n / radix);
      int64_t cost = rest.cost + radix + kCostOfPass;
      if (rest.radix && (!best.radix || cost < best.cost))
        best = {cost, radix};
    }
    return choices[n] = best;
  }

private:
  llvm::DenseMap<int64_t, Choice> choices;
};
} // namespace

std::optional<SmallVector<int64_t>> mlir::wax::getRadices(int64_t n) {
  Factorizer factorizer;
  SmallVector<int64_t> radices;
  while (n != 1) {
    int64_t radix = factorizer.choose(n).radix;
    if (!radix)
      return std::nullopt;
    radices.push_back(radix);
    n /= radix;
  }
  llvm::sort(radices, std::greater<>());
  return radices;
}

int64_t mlir::wax::getConvolutionLength(int64_t least) {
  // Among the lengths below the next power of two; it is one itself.
  int64_t power = 1;
  while (power < least)
    power *= 2;
  int64_t best = power;
  auto costOf = [](int64_t n) {
    return n * static_cast<long double>(Factorizer().choose(n).cost);
  };
  for (int64_t odd : {3, 5, 9, 15, 25, 27, 45, 75, 81, 125}) {
    int64_t n = odd;
    while (n < least)
      n *= 2;
    if (n < power && costOf(n) < costOf(best))
      best = n;
  }
  return best;
}

/// The most numbers on a side of a row's matrix, if there is a choice: one for
/// each lane makes 16 kB.
static constexpr int64_t kMostOnSide = 256;

/// What IREE gives a dispatch for tensors of its own is 32 kB.
static constexpr int64_t kStackBytes = 30 << 10;

/// What a step costs for each number, in instructions of vectors: reading,
/// turning and writing it, and its share of the small transform.
static int64_t getCostOfStep(int64_t radix) {
  return radix % 2 ? 5 + radix : 6 + radix / 2;
}

/// The radices of steps on vectors: small primes, then fours, as registers
/// allow, and at the end, where numbers are not turned, an eight or a two.
static std::optional<SmallVector<int64_t>> getStepRadices(int64_t n) {
  SmallVector<int64_t> radices;
  for (int64_t prime : {13, 11, 7, 5, 3})
    for (; n % prime == 0; n /= prime)
      radices.push_back(prime);
  if (!llvm::isPowerOf2_64(n))
    return std::nullopt;
  int64_t last = llvm::Log2_64(n) % 2 == 0 ? 1 : n == 2 ? 2 : 8;
  for (; n > last; n /= 4)
    radices.push_back(4);
  if (last > 1)
    radices.push_back(last);
  return radices;
}

static int64_t getCostOfSteps(ArrayRef<int64_t> radices) {
  int64_t cost = 0;
  for (int64_t radix : radices)
    cost += getCostOfStep(radix);
  return cost;
}

using PlanWithCost = std::pair<int64_t, RowPlan>;

/// The cheapest plan with sides of at most `most` numbers, and what it costs
/// for the whole row.
static std::optional<PlanWithCost> findPlan(int64_t n, int64_t lanes,
                                            int64_t bytes, int64_t most,
                                            bool takesWorkspace) {
  std::optional<PlanWithCost> best;
  for (int64_t rows = lanes; rows <= most && rows * lanes <= n; ++rows) {
    int64_t columns = n / rows;
    if (n % rows != 0 || columns > most)
      continue;
    std::optional<SmallVector<int64_t>> down = getStepRadices(rows),
                                        across = getStepRadices(columns);
    if (!down || !across)
      continue;
    // The last vector of a side goes through some numbers once more.
    int64_t wideColumns = llvm::alignTo(columns, lanes),
            wideRows = llvm::alignTo(rows, lanes),
            buffer = std::max(rows, columns) * lanes * bytes;
    RowPlan::Between between = RowPlan::Between::InResult;
    if (rows != wideRows || columns != wideColumns)
      between = rows * wideColumns * bytes + buffer > kStackBytes
                    ? RowPlan::Between::InWorkspace
                    : RowPlan::Between::OnStack;
    if (between == RowPlan::Between::InWorkspace && !takesWorkspace)
      continue;
    int64_t cost = rows * wideColumns * getCostOfSteps(*down) +
                   columns * wideRows * getCostOfSteps(*across);
    if (!best || cost < best->first)
      best = {cost, {*down, *across, between}};
  }
  return best;
}

/// Less memory comes before fewer instructions.
static std::optional<PlanWithCost> findPlan(int64_t n, int64_t lanes,
                                            int64_t bytes) {
  if (auto found = findPlan(n, lanes, bytes, kMostOnSide, false))
    return found;
  if (auto found = findPlan(n, lanes, bytes, kMostOnSide, true))
    return found;
  return findPlan(n, lanes, bytes, kStackBytes / (lanes * bytes), true);
}

std::optional<RowPlan> mlir::wax::planRow(int64_t n, int64_t lanes,
                                          int64_t bytes) {
  if (auto found = findPlan(n, lanes, bytes))
    return found->second;
  return std::nullopt;
}

std::optional<RowPlan> mlir::wax::planShortRow(int64_t n, int64_t lanes,
                                               int64_t bytes) {
  // Two buffers, of which one also has the middle of a half.
  if (2 * (n + 1) * lanes * bytes > kStackBytes)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> radices = getStepRadices(n);
  if (!radices || radices->empty())
    return std::nullopt;
  return RowPlan{*radices, {}};
}

std::optional<RowPlan> mlir::wax::planColumn(int64_t n) {
  if (n <= kMostOnSide) {
    std::optional<SmallVector<int64_t>> radices = getStepRadices(n);
    if (!radices || radices->empty())
      return std::nullopt;
    return RowPlan{*radices, {}};
  }
  std::optional<PlanWithCost> best =
      findPlan(n, /*lanes=*/1, /*bytes=*/0, kMostOnSide, false);
  if (!best)
    return std::nullopt;
  return best->second;
}

std::optional<int64_t>
mlir::wax::getConvolutionLength(int64_t least, int64_t lanes, int64_t bytes) {
  std::optional<std::pair<int64_t, int64_t>> best;
  for (int64_t odd : {1, 3, 5, 9, 15, 25, 27, 45, 75, 81, 125}) {
    int64_t n = odd;
    while (n < least)
      n *= 2;
    auto found = findPlan(n, lanes, bytes);
    if (found && (!best || found->first < best->first))
      best = {found->first, n};
  }
  if (!best)
    return std::nullopt;
  return best->second;
}

int64_t mlir::wax::getProduct(ArrayRef<int64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), int64_t(1),
                         std::multiplies<>());
}

SmallVector<int64_t> mlir::wax::groupRadices(ArrayRef<int64_t> radices,
                                             int64_t most) {
  SmallVector<int64_t> groups;
  for (int64_t radix : radices) {
    if (!groups.empty() && groups.back() * radix <= most)
      groups.back() *= radix;
    else
      groups.push_back(radix);
  }
  return groups;
}

Root mlir::wax::getRoot(int64_t numerator, int64_t n) {
  numerator %= n;
  if (numerator < 0)
    numerator += n;
  // Quarters of the circle, then what is left of one, mirrored at its middle.
  int64_t quarter = 4 * numerator / n;
  int64_t rest = 4 * numerator - quarter * n; // of 4n
  bool isMirrored = 2 * rest > n;
  if (isMirrored)
    rest = n - rest;
  constexpr long double kHalfPi = 1.57079632679489661923132169163975144L;
  long double angle = kHalfPi * rest / n;
  long double re = std::cos(angle), im = std::sin(angle);
  if (isMirrored)
    std::swap(re, im);
  switch (quarter) {
  case 0:
    return {re, im};
  case 1:
    return {-im, re};
  case 2:
    return {-re, -im};
  default:
    return {im, -re};
  }
}
