//===- program.h - A program's dispatches, written down and run again -----===//
//
// A call of a program that always does the same dispatches, with memory that
// its arguments and results are in, needs no runtime: what IREE does once can
// be written down, and the same kernels run again on other memory.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_TEAM_PROGRAM_H
#define WAX_TEAM_PROGRAM_H

#include "library.h"

#include <vector>

namespace wax {

/// One dispatch as IREE did it, with copies of all that its kernel reads.
struct Dispatch {
  WaxKernel kernel;
  /// Lives as long as the program is loaded.
  const WaxEnvironment *environment;
  WaxDispatch state;
  std::vector<uint32_t> constants;
  std::vector<void *> bindings;
  std::vector<size_t> lengths;
  uint32_t localMemorySize;
  uint64_t floatingPoint;

  explicit Dispatch(const WaxSpreadParams &params, uint64_t floatingPoint);
};

/// The dispatches of a call, in order.
using Recording = std::vector<Dispatch>;

/// Gets so many threads ready, besides the calling one, to share its
/// dispatches. False where it has to do without them.
bool gatherTeam(unsigned numMembers);

/// Runs all workgroups of a dispatch by that team. False, with nothing run,
/// where the calling thread has to do it alone.
bool runShared(const WaxSpreadParams &params, int &status);

} // namespace wax

#endif // WAX_TEAM_PROGRAM_H
