//===- CallCache.h - Calls that were made before ----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_CALLCACHE_H
#define WAX_PYTHON_CALLCACHE_H

#include "CallKey.h"
#include "NativeRun.h"
#include "TreeTemplate.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <unordered_map>

namespace mlir::wax::python {

/// A jitted function's calls, found by what of their arguments Python's slow
/// path would look at. It decides nothing: Python says what a call means when
/// it adds it, and is asked about every call that is not found here.
///
/// The GIL guards it (an interpreter without one turns it on to load this
/// module, which does not declare that it can do without). Where Python code
/// may run (hashing and comparing static values, the call itself, freeing what
/// was dropped), entries may come and go: an entry in use is held, and no place
/// in the table is remembered across such a moment.
class CallCache {
public:
  CallCache(CallConvention convention, size_t capacity)
      : convention(std::move(convention)), capacity(capacity) {}

  /// The call's result; `NotImplemented` for a call that was never added.
  nanobind::object call(nanobind::handle args, nanobind::handle kwargs);

  /// Lets calls like this one be found. `traced` is the pair of its arguments
  /// without static ones, `leaves` are their leaves as Python numbers them, and
  /// `numbers` is `traced` with these numbers in their places. `takes` has for
  /// each leaf what makes an array of it (not asked for arrays); `run` takes
  /// the arrays and gives the results (see NativeRun.h for those of which the
  /// steps are known), and `rebuild` makes of them what is returned.
  /// `containers` has the classes that are containers in it, with the names of
  /// the attributes that are children (`None` for a named tuple) and of those
  /// that are static. Returns false if such a call is not for this cache.
  bool add(nanobind::tuple args, nanobind::dict kwargs, nanobind::tuple traced,
           nanobind::tuple leaves, nanobind::tuple numbers,
           nanobind::tuple takes, nanobind::object run,
           nanobind::object rebuild, nanobind::dict containers);

  void clear();

  /// Lets every cache forget everything: a class is another container now.
  static void forgetContainers() { ++epoch; }

  size_t size() const { return entries.size(); }

  int traverse(visitproc visit, void *arg) const;

private:
  struct Entry : llvm::RefCountedBase<Entry> {
    CallKey key;
    /// Python's number of each leaf, in the order in which they are read.
    llvm::SmallVector<Py_ssize_t, 8> numbers;
    nanobind::tuple takes;
    nanobind::object run, rebuild;
    /// `run`, once it says what it is made of.
    NativeRunRef runNatively;
    /// `rebuild`, if it is one.
    const TreeTemplate *rebuildNatively = nullptr;
  };
  using EntryRef = llvm::IntrusiveRefCntPtr<Entry>;

  EntryRef find(const CallKey &key) const;
  /// What the steps of a call are in, or null where Python has to make it.
  static NativeRunRef nativeOf(Entry &entry);
  static nanobind::object run(Entry &entry, const NativeRun *native,
                              llvm::ArrayRef<nanobind::object> arrays);
  void learn(nanobind::dict containers);

  CallConvention convention;
  size_t capacity;
  std::unordered_multimap<uint64_t, EntryRef> entries;
  ContainerClasses classes;
  /// The epoch that `classes` and `entries` are of.
  uint64_t madeIn = epoch;

  static uint64_t epoch;
};

void bindCallCache(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_CALLCACHE_H
