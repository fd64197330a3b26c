//===- spread.c - What is linked into programs, so that threads share them ===//
//
// Takes the place of the function by which IREE asks a program what it has. It
// answers as the program would, unless whoever loads the program has turned the
// switch below: then it says that the program imports a function, and names
// kernels that hand their workgroups to that. IREE 3.13 loads no program that
// imports what it does not know, even where that is said to be optional.
//
//===----------------------------------------------------------------------===//

#include "library.h"

/// The program's own answer, under the name that linking gives it: as long as
/// IREE's, so that it fits in its place.
const WaxLibrary *wree_hal_executable_library_query(uint32_t maxVersion,
                                                    const void *environment);

enum { KNOWN_VERSION = 6, MAX_SPREAD = 256, MAX_KERNELS = 4096 };

/// "off ", or "on  ", which is written over it in the program's file.
static const volatile char mode[] = WAX_SPREAD_SWITCH "off ";

static const WaxKernel *originals;

__attribute__((noinline)) static int spread(const WaxEnvironment *environment,
                                            const WaxDispatch *dispatch,
                                            const WaxWorkgroup *workgroup,
                                            unsigned ordinal) {
  WaxKernel kernel = originals[ordinal];
  WaxSpreadParams params = {kernel, environment, dispatch, workgroup};
  return environment->thunk(environment->imports[0], &params,
                            environment->contexts[0], 0);
}

// clang-format off
#define KERNEL(n)                                                              \
  static int kernel##n(const WaxEnvironment *environment,                      \
                       const WaxDispatch *dispatch,                            \
                       const WaxWorkgroup *workgroup) {                        \
    return spread(environment, dispatch, workgroup, 0x##n);                    \
  }
#define NAME(n) kernel##n,
#define SIXTEEN(F, n)                                                          \
  F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7)              \
  F(n##8) F(n##9) F(n##a) F(n##b) F(n##c) F(n##d) F(n##e) F(n##f)
#define ALL(F)                                                                 \
  SIXTEEN(F, 0) SIXTEEN(F, 1) SIXTEEN(F, 2) SIXTEEN(F, 3)                      \
  SIXTEEN(F, 4) SIXTEEN(F, 5) SIXTEEN(F, 6) SIXTEEN(F, 7)                      \
  SIXTEEN(F, 8) SIXTEEN(F, 9) SIXTEEN(F, a) SIXTEEN(F, b)                      \
  SIXTEEN(F, c) SIXTEEN(F, d) SIXTEEN(F, e) SIXTEEN(F, f)
// clang-format on

ALL(KERNEL)

static const WaxKernel spreading[MAX_SPREAD] = {ALL(NAME)};

static WaxKernel kernels[MAX_KERNELS];

static const char *const imports[] = {WAX_SPREAD_NAME};

static WaxLibrary answer;

__attribute__((visibility("default"))) const WaxLibrary *
iree_hal_executable_library_query(uint32_t maxVersion,
                                  const void *environment) {
  const WaxLibrary *own =
      wree_hal_executable_library_query(maxVersion, environment);
  if (mode[sizeof(WAX_SPREAD_SWITCH)] != 'n' || !own ||
      own->header->version != KNOWN_VERSION || own->numImports ||
      own->numExports > MAX_KERNELS)
    return own;
  originals = own->kernels;
  for (unsigned i = 0; i < own->numExports; ++i)
    kernels[i] = i < MAX_SPREAD ? spreading[i] : own->kernels[i];
  answer = *own;
  answer.numImports = 1;
  answer.imports = imports;
  answer.kernels = kernels;
  return &answer;
}
