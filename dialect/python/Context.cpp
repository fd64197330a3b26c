//===- Context.cpp - The process's one MLIR context -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Errors.h"

#include "wax/Passes/Passes.h"

#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <thread>

using namespace mlir;
using namespace mlir::wax::python;

namespace {

/// More threads do not help: passes run over functions, and few are large.
constexpr unsigned kMinThreads = 2, kMaxThreads = 4;

std::atomic<bool> contextExists{false};
std::atomic<bool> forked{false};

/// The context lives as long as the process. The pool does not: its threads are
/// joined at exit, before what they use is torn down.
struct Process {
  Process() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    unsigned threads = std::thread::hardware_concurrency();
    pool = std::make_unique<llvm::DefaultThreadPool>(llvm::hardware_concurrency(
        std::min(kMaxThreads, std::max(kMinThreads, threads))));
    context.setThreadPool(*pool);
    // Loading a dialect is not safe while another thread works in the context.
    context.loadAllAvailableDialects();
    context.printOpOnDiagnostic(false);
    DiagnosticCapture::install(context);
    pthread_atfork(nullptr, nullptr, [] {
      if (contextExists)
        forked = true;
    });
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    wax::registerAllDialects(registry);
    return registry;
  }

  MLIRContext context;
  std::unique_ptr<llvm::ThreadPoolInterface> pool;
  std::mutex mutex;
  std::condition_variable idle;
  unsigned uses = 0;
  bool closed = false;
};

Process &getProcess() {
  static Process *process = [] {
    auto *made = new Process;
    contextExists = true;
    return made;
  }();
  return *process;
}

} // namespace

bool mlir::wax::python::isForkedChild() { return forked; }

MLIRContext *mlir::wax::python::getContext() {
  if (forked)
    throw std::runtime_error(
        "this process was forked after wax had begun to compile, and the "
        "compiler's threads did not follow: start worker processes with "
        "multiprocessing's \"spawn\" or \"forkserver\" method, or fork before "
        "the first use of wax");
  return &getProcess().context;
}

ThreadPoolUse::ThreadPoolUse() {
  Process &process = getProcess();
  std::lock_guard<std::mutex> lock(process.mutex);
  if (process.closed)
    throw std::runtime_error("wax cannot compile: the interpreter is exiting");
  ++process.uses;
}

ThreadPoolUse::~ThreadPoolUse() {
  Process &process = getProcess();
  std::lock_guard<std::mutex> lock(process.mutex);
  if (--process.uses == 0)
    process.idle.notify_all();
}

void mlir::wax::python::shutDown() {
  if (!contextExists || forked)
    return;
  Process &process = getProcess();
  std::unique_lock<std::mutex> lock(process.mutex);
  process.closed = true;
  process.idle.wait(lock, [&] { return process.uses == 0; });
  process.pool.reset();
}
