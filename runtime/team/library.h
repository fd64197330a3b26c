//===- library.h - What IREE and a program's machine code agree on --------===//
//
// The part of version 6 of the interface between IREE's runtime and the
// machine code in a `.vmfb` that is needed here: iree/hal/local/
// executable_library.h of IREE 3.13.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_TEAM_LIBRARY_H
#define WAX_TEAM_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/// What a thread needs to run one workgroup of a dispatch.
typedef struct {
  uint32_t idX;
  uint32_t idY;
  uint16_t idZ;
  uint16_t reserved;
  uint32_t processor;
  void *localMemory;
  uint32_t localMemorySize;
} WaxWorkgroup;

/// A dispatch: what all of its workgroups read.
typedef struct {
  uint32_t sizeX;
  uint32_t sizeY;
  uint16_t sizeZ;
  uint16_t numConstants;
  uint32_t countX;
  uint32_t countY;
  uint16_t countZ;
  uint8_t maxConcurrency;
  uint8_t numBindings;
  const uint32_t *constants;
  /// Where each piece of memory begins, and its bytes.
  void *const *bindings;
  const size_t *lengths;
} WaxDispatch;

/// Calls an imported function of a program, which may follow another
/// convention.
typedef int (*WaxThunk)(void *imported, void *params, void *context,
                        void *reserved);

/// What a program may use of its surroundings; more follows.
typedef struct {
  const uint32_t *constants;
  WaxThunk thunk;
  void *const *imports;
  void *const *contexts;
} WaxEnvironment;

/// The machine code of a dispatch, for one workgroup of it; 0 if all is well.
typedef int (*WaxKernel)(const WaxEnvironment *environment,
                         const WaxDispatch *dispatch,
                         const WaxWorkgroup *workgroup);

/// What a program tells of itself.
typedef struct {
  uint32_t version;
} WaxLibraryHeader;

typedef struct {
  const WaxLibraryHeader *header;
  uint32_t numImports;
  const char *const *imports;
  uint32_t numExports;
  const WaxKernel *kernels;
  const void *tables[8];
  uint32_t numConstants;
  uint32_t numSources;
  const void *sources;
} WaxLibrary;

/// The parameters of the function that a program imports: one workgroup that
/// is to be run, and by what.
typedef struct {
  WaxKernel kernel;
  const WaxEnvironment *environment;
  const WaxDispatch *dispatch;
  const WaxWorkgroup *workgroup;
} WaxSpreadParams;

/// That function's name. A number that rises with its parameters ends it.
#define WAX_SPREAD_NAME "wax_spread_v1"

/// What comes before the switch in a program's file: nothing else looks like
/// that.
#define WAX_SPREAD_SWITCH "\x9d\x17wax_spread_v1\xe2\x8b"

#endif // WAX_TEAM_LIBRARY_H
