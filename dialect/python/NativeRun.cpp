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
  Capturing(std::unique_ptr<NativeRun> program, nb::handle captured)
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
  std::unique_ptr<NativeRun> program;
  llvm::SmallVector<nb::object, 2> captured;
};

} // namespace

std::unique_ptr<NativeRun> NativeRun::of(nb::handle run) {
  if (nb::hasattr(run, "captured")) {
    std::unique_ptr<NativeRun> program = of(run.attr("call"));
    return program ? std::make_unique<Capturing>(std::move(program),
                                                 run.attr("captured"))
                   : nullptr;
  }
  nb::object steps = nb::getattr(run, "steps", nb::none());
  if (steps.is_none())
    return nullptr;
  if (nb::hasattr(steps, "program"))
    return std::make_unique<DirectCall>(steps);
  return std::make_unique<Invocation>(steps);
}
