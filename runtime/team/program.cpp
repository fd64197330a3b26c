//===- program.cpp - A program's dispatches, written down and run again ---===//

#include "program.h"

#include "memory.h"

#include <cstring>
#include <memory>

using namespace wax;

Dispatch::Dispatch(const WaxSpreadParams &params, uint64_t floatingPoint)
    : kernel(params.kernel), environment(params.environment),
      state(*params.dispatch),
      constants(state.constants, state.constants + state.numConstants),
      bindings(state.bindings, state.bindings + state.numBindings),
      lengths(state.lengths, state.lengths + state.numBindings),
      localMemorySize(params.workgroup->localMemorySize),
      floatingPoint(floatingPoint) {}

namespace {

/// Where memory is: in a region that a call is given, or always in one place.
struct Place {
  static constexpr uint64_t kFixed = ~uint64_t(0);

  uint64_t region, offset;

  char *in(char *const *regions) const {
    return region == kFixed ? reinterpret_cast<char *>(offset)
                            : regions[region] + offset;
  }
};

/// As the steps of a program are given: of a dispatch the number of its
/// bindings and their places; of a copy its source, target and bytes; of a fill
/// its target, bytes, the value and that one's bytes.
enum class Kind : uint64_t { Dispatch = 0, Copy = 1, Fill = 2 };

struct Step {
  Kind kind;
  std::vector<Place> places;
  uint64_t length = 0, value = 0, width = 0;
};

/// Reads words until there are too few.
class Reader {
public:
  Reader(const uint64_t *words, size_t count)
      : words(words), end(words + count) {}

  bool isAtEnd() const { return words == end; }
  bool hasFailed() const { return failed; }

  uint64_t next() {
    if (isAtEnd()) {
      failed = true;
      return 0;
    }
    return *words++;
  }

  Place place() {
    uint64_t region = next();
    return {region, next()};
  }

private:
  const uint64_t *words, *end;
  bool failed = false;
};

void fill(char *target, uint64_t length, uint64_t value, uint64_t width) {
  if (width == 1) {
    std::memset(target, int(value), length);
    return;
  }
  for (uint64_t i = 0; i + width <= length; i += width)
    std::memcpy(target + i, &value, width);
}

} // namespace

/// The steps of a call. Any number of threads may run it at one time.
struct WaxProgram {
  Recording dispatches;
  std::vector<Step> steps;
  /// How many threads share a call, besides the calling one.
  unsigned numMembers = 0;

  /// False if the steps are not those of the dispatches.
  bool read(Reader reader) {
    size_t numDispatches = 0;
    while (!reader.isAtEnd()) {
      Step step{Kind(reader.next()), {}};
      switch (step.kind) {
      case Kind::Dispatch: {
        uint64_t count = reader.next();
        if (numDispatches == dispatches.size() ||
            count != dispatches[numDispatches++].bindings.size())
          return false;
        for (uint64_t i = 0; i < count; ++i)
          step.places.push_back(reader.place());
        break;
      }
      case Kind::Copy:
        step.places.push_back(reader.place());
        step.places.push_back(reader.place());
        step.length = reader.next();
        break;
      case Kind::Fill:
        step.places.push_back(reader.place());
        step.length = reader.next();
        step.value = reader.next();
        step.width = reader.next();
        if (step.width != 1 && step.width != 2 && step.width != 4 &&
            step.width != 8)
          return false;
        break;
      default:
        return false;
      }
      if (reader.hasFailed())
        return false;
      steps.push_back(std::move(step));
    }
    return numDispatches == dispatches.size();
  }

  int run(char *const *regions) const {
    uint64_t before = floatingPoint();
    bool isShared = gatherTeam(numMembers);
    int status = 0;
    const Dispatch *dispatch = dispatches.data();
    for (const Step &step : steps) {
      const Place *places = step.places.data();
      switch (step.kind) {
      case Kind::Dispatch:
        status = run(*dispatch++, places, regions, isShared);
        break;
      case Kind::Copy:
        std::memcpy(places[1].in(regions), places[0].in(regions), step.length);
        break;
      case Kind::Fill:
        fill(places[0].in(regions), step.length, step.value, step.width);
        break;
      }
      if (status)
        break;
    }
    setFloatingPoint(before);
    return status;
  }

private:
  static int run(const Dispatch &dispatch, const Place *places,
                 char *const *regions, bool isShared) {
    void *bindings[256];
    for (size_t i = 0, count = dispatch.bindings.size(); i < count; ++i)
      bindings[i] = places[i].in(regions);
    WaxDispatch state = dispatch.state;
    state.constants = dispatch.constants.data();
    state.bindings = bindings;
    state.lengths = dispatch.lengths.data();
    WaxWorkgroup place = {};
    if (uint32_t size = dispatch.localMemorySize) {
      thread_local LocalMemory memory;
      place.localMemorySize = size;
      place.localMemory = memory.ofSize(size);
      if (!place.localMemory)
        return -1;
    }
    setFloatingPoint(dispatch.floatingPoint);
    int status = 0;
    if (isShared &&
        runShared({dispatch.kernel, dispatch.environment, &state, &place},
                  status))
      return status;
    for (uint32_t z = 0; z < state.countZ; ++z)
      for (uint32_t y = 0; y < state.countY; ++y)
        for (uint32_t x = 0; x < state.countX; ++x) {
          place.idX = x;
          place.idY = y;
          place.idZ = uint16_t(z);
          status = dispatch.kernel(dispatch.environment, &state, &place);
          if (status)
            return status;
        }
    return 0;
  }
};

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT size_t wax_recording_size(const Recording *recording) {
  return recording->size();
}

/// The bindings of a dispatch: where each is, and its bytes, for as many as 255
/// of them. Returns how many they are.
EXPORT size_t wax_recording_bindings(const Recording *recording, size_t index,
                                     void **places, size_t *lengths) {
  const Dispatch &dispatch = (*recording)[index];
  for (size_t i = 0; i < dispatch.bindings.size(); ++i) {
    places[i] = dispatch.bindings[i];
    lengths[i] = dispatch.lengths[i];
  }
  return dispatch.bindings.size();
}

EXPORT void wax_recording_free(Recording *recording) { delete recording; }

/// A program of what was recorded, which is gone then, by the words of its
/// steps, for so many threads besides the calling one; null if they do not fit.
EXPORT WaxProgram *wax_program_new(Recording *recording, const uint64_t *words,
                                   size_t count, unsigned numMembers) {
  auto program = std::make_unique<WaxProgram>();
  program->numMembers = numMembers;
  program->dispatches = std::move(*recording);
  delete recording;
  return program->read(Reader(words, count)) ? program.release() : nullptr;
}

/// Runs a program; 0 if all is well. The regions are
/// those that its steps name.
EXPORT int wax_program_run(const WaxProgram *program, char *const *regions) {
  return program->run(regions);
}

EXPORT void wax_program_free(WaxProgram *program) { delete program; }
