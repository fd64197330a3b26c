//===- NativeRun.cpp - Compiled programs, called natively -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeRun.h"

#include "DirectCall.h"
#include "Invocation.h"

namespace nb = nanobind;
using namespace mlir::wax::python;

namespace {

/// A program's call with arrays besides those that it is given.
class Capturing : public NativeRun {
public:
  Capturing(NativeRunRef program, nb::handle captured)
      : program(std::move(program)) {
    for (nb::handle array : captured)
      this->captured.push_back(nb::borrow(array));
  }

  nb::object take(size_t number, nb::handle leaf) const override {
    return program->take(number, leaf);
  }

  bool call(llvm::ArrayRef<nb::object> arrays,
            Results &results) const override {
    llvm::SmallVector<nb::object, 8> all(arrays);
    all.append(captured.begin(), captured.end());
    return program->call(all, results);
  }

  int traverse(visitproc visit, void *arg) const override {
    for (const nb::object &array : captured)
      Py_VISIT(array.ptr());
    return program->traverse(visit, arg);
  }

private:
  NativeRunRef program;
  llvm::SmallVector<nb::object, 2> captured;
};

} // namespace

/// Of steps, and of arrays that a caller does not know of.
static NativeRunRef made(nb::handle steps, nb::handle captured) {
  NativeRunRef made;
  if (nb::hasattr(steps, "program"))
    made = llvm::makeIntrusiveRefCnt<DirectCall>(steps);
  else
    made = llvm::makeIntrusiveRefCnt<Invocation>(steps);
  if (captured.is_none())
    return made;
  return llvm::makeIntrusiveRefCnt<Capturing>(std::move(made), captured);
}

NativeRunRef NativeRun::of(nb::handle run) {
  nb::object captured = nb::getattr(run, "captured", nb::none());
  nb::object asked = captured.is_none() ? nb::borrow(run) : run.attr("call");
  nb::object steps = nb::getattr(asked, "steps", nb::none());
  if (steps.is_none())
    return nullptr;
  NativeRunRef found = made(steps, captured);
  if (nb::hasattr(asked, "lend")) {
    nb::object turns = asked.attr("lend")();
    found->isForGood = turns.is_none();
    found->turns = turns.is_none() ? 0 : nb::cast<int64_t>(turns);
  }
  return found;
}
