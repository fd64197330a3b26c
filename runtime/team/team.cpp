//===- team.cpp - Threads that share a dispatch with who calls a program --===//
//
// Programs that `spread.c` is linked into hand each workgroup to `spread`, a
// function of this library that IREE finds for them. On a thread that has
// entered the team, the first workgroup of a dispatch runs all of them,
// together with the team's members; those after it have nothing to do. On any
// other thread each workgroup runs as it would without this library.
//
// Members wait busily between dispatches, so that one begins and ends within a
// microsecond, give their processor to whoever else wants it, and fall asleep
// when nothing came for a while.
//
//===----------------------------------------------------------------------===//

#include "library.h"
#include "memory.h"
#include "program.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string_view>
#include <utility>

using namespace wax;

namespace {

using Clock = std::chrono::steady_clock;

/// How long a thread waits busily before it lets others have the processor now
/// and then: not at once, for another library's threads that wait busily as
/// well may keep it for milliseconds. And when a member falls asleep.
constexpr auto kSelfish = std::chrono::microseconds(100);
constexpr auto kPatience = std::chrono::milliseconds(1);
/// Kernels have some tens of KiB on their stacks.
constexpr size_t kStackSize = size_t(1) << 20;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits busily, until somebody looks again whether it is over.
class Wait {
public:
  void turn() {
    if (++turns % 64) {
      pause();
      return;
    }
    lasted = Clock::now() - begin;
    if (lasted > kSelfish)
      sched_yield();
  }

  /// Whether it lasts longer than a member's patience, as seen now and then.
  bool isLong() const { return lasted > kPatience; }

private:
  Clock::time_point begin = Clock::now();
  Clock::duration lasted{};
  unsigned turns = 0;
};

/// A variable that several threads read and write, ordered by others.
template <typename T> class Shared {
public:
  operator T() const { return value.load(std::memory_order_relaxed); }
  void operator=(T other) { value.store(other, std::memory_order_relaxed); }

private:
  std::atomic<T> value{};
};

/// The threads that work for whoever runs a dispatch. Lives as long as they do:
/// as long as the process.
class Team {
public:
  static Team &team;

  /// Has so many members at least, if the system lets it, and none on the
  /// processor of the calling thread. Linux starts threads where their parent
  /// runs, and leaves them there for milliseconds.
  void gather(unsigned wanted) {
    wanted = wanted < kMaxMembers ? wanted : kMaxMembers;
    if (numMembers < wanted) {
      std::lock_guard<std::mutex> lock(mutex);
      while (numMembers < wanted && startMember(members[numMembers]))
        numMembers = numMembers + 1;
    }
    int here = sched_getcpu();
    for (unsigned i = 0, end = numMembers; i < end; ++i)
      if (members[i].processor == here)
        sendAway(members[i]);
  }

  /// Has a member wake up, who wakes the next.
  void wake() {
    if (!numAsleep.load())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      ++numCalls;
    }
    called.notify_one();
  }

  /// Runs all workgroups of a dispatch, for the thread that has its first one.
  /// False, with nothing run, while the team works for another thread.
  bool run(const WaxSpreadParams &params, uint64_t count, int &status) {
    if (isBusy.exchange(true, std::memory_order_acquire))
      return false;
    epoch = (epoch + 1) & kEpochs;
    // Whoever still looks at the last dispatch takes nothing while this one is
    // written down.
    ticket.store(epoch << kIndexBits | kIndices);
    std::atomic_thread_fence(std::memory_order_release);
    kernel = params.kernel;
    environment = params.environment;
    dispatch = params.dispatch;
    processor = params.workgroup->processor;
    localMemorySize = params.workgroup->localMemorySize;
    numWorkgroups = count;
    callersFloatingPoint = floatingPoint();
    numFinished.store(0, std::memory_order_relaxed);
    failure = 0;
    ticket.store(epoch << kIndexBits);
    wake();
    work(*params.workgroup);
    for (Wait wait; numFinished.load(std::memory_order_acquire) != count;)
      wait.turn();
    status = failure;
    isBusy.store(false, std::memory_order_release);
    return true;
  }

private:
  // A ticket is the number of a dispatch, and that of the next workgroup.
  static constexpr unsigned kIndexBits = 40;
  static constexpr uint64_t kIndices = (uint64_t(1) << kIndexBits) - 1;
  static constexpr unsigned kMaxMembers = 255;
  static constexpr uint64_t kEpochs = (uint64_t(1) << (64 - kIndexBits)) - 1;

  struct Member {
    pthread_t thread;
    /// Where it ran last.
    Shared<int> processor;
  };

  /// The processors that the calling thread may use but for the one that it
  /// runs on. False where there are none.
  static bool otherProcessors(cpu_set_t &others) {
    if (sched_getaffinity(0, sizeof others, &others))
      return false;
    CPU_CLR(sched_getcpu(), &others);
    return CPU_COUNT(&others);
  }

  static void sendAway(Member &member) {
    cpu_set_t others;
    if (!otherProcessors(others))
      return;
    member.processor = -1;
    pthread_setaffinity_np(member.thread, sizeof others, &others);
  }

  bool startMember(Member &member) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, kStackSize);
    cpu_set_t others;
    if (otherProcessors(others))
      pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
    member.processor = -1;
    // Signals are for the threads of the program around.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(
        &member.thread, &attributes,
        [](void *member) -> void * { serve(*static_cast<Member *>(member)); },
        &member);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    if (!error)
      pthread_setname_np(member.thread, "wax-team");
    return !error;
  }

  /// What a member does.
  [[noreturn]] static void serve(Member &member) {
    LocalMemory memory;
    for (;;) {
      Wait wait;
      while (!wait.isLong() && !team.helpOut(memory))
        wait.turn();
      member.processor = sched_getcpu();
      if (wait.isLong())
        team.sleep();
    }
  }

  void sleep() {
    std::unique_lock<std::mutex> lock(mutex);
    uint64_t seen = numCalls;
    numAsleep.fetch_add(1);
    // After that, whoever has a dispatch calls; before, it is here.
    if ((ticket.load() & kIndices) >= numWorkgroups)
      called.wait(lock, [&] { return numCalls != seen; });
    numAsleep.fetch_sub(1);
    lock.unlock();
    wake();
  }

  /// Runs workgroups for another thread. Returns whether there were any.
  bool helpOut(LocalMemory &memory) {
    if ((ticket.load(std::memory_order_acquire) & kIndices) >= numWorkgroups)
      return false;
    WaxWorkgroup place = {};
    place.processor = processor;
    place.localMemorySize = localMemorySize;
    place.localMemory = memory.ofSize(place.localMemorySize);
    if (place.localMemorySize && !place.localMemory)
      return false;
    return work(place);
  }

  /// Runs workgroups of the dispatch until all are taken, at the place given.
  /// Returns whether there were any.
  bool work(WaxWorkgroup place) {
    bool any = false;
    uint64_t next = ticket.load(std::memory_order_acquire);
    for (;;) {
      // All this is of the dispatch of the ticket, if that is still the same
      // afterwards: who made it waits until all that was taken is finished.
      uint64_t index = next & kIndices, count = numWorkgroups;
      WaxKernel run = kernel;
      const WaxEnvironment *with = environment;
      const WaxDispatch *of = dispatch;
      uint64_t mode = callersFloatingPoint;
      if (index >= count || localMemorySize > place.localMemorySize)
        return any;
      std::atomic_thread_fence(std::memory_order_acquire);
      // Neighbours share caches, so many first; then few, so that all threads
      // end together.
      uint64_t share = (count - index) / (2 * (uint64_t(numMembers) + 1));
      share = share ? share : 1;
      if (!ticket.compare_exchange_weak(next, next + share,
                                        std::memory_order_acq_rel,
                                        std::memory_order_acquire))
        continue;
      any = true;
      setFloatingPoint(mode);
      for (uint64_t i = index; i < index + share; ++i) {
        place.idX = uint32_t(i % of->countX);
        place.idY = uint32_t(i / of->countX % of->countY);
        place.idZ = uint16_t(i / of->countX / of->countY);
        if (int status = run(with, of, &place))
          failure = status;
      }
      numFinished.fetch_add(share, std::memory_order_acq_rel);
      next = ticket.load(std::memory_order_acquire);
    }
  }

  alignas(64) std::atomic<uint64_t> ticket{kIndices};
  alignas(64) std::atomic<uint64_t> numFinished{0};
  Shared<int> failure;
  // The dispatch.
  alignas(64) Shared<uint64_t> numWorkgroups;
  Shared<WaxKernel> kernel;
  Shared<const WaxEnvironment *> environment;
  Shared<const WaxDispatch *> dispatch;
  Shared<uint32_t> processor;
  Shared<uint32_t> localMemorySize;
  Shared<uint64_t> callersFloatingPoint;
  Shared<unsigned> numMembers;
  std::atomic<unsigned> numAsleep{0};
  // Of the thread that the team is busy for.
  alignas(64) std::atomic<bool> isBusy{false};
  uint64_t epoch = 0;

  Member members[kMaxMembers];
  std::mutex mutex;
  std::condition_variable called;
  uint64_t numCalls = 0;
};

Team &Team::team = *new Team;
/// A child has none of its parent's threads, and must not wait for them.
bool isForked = false;
[[maybe_unused]] const int watchesForks =
    pthread_atfork(nullptr, nullptr, [] { isForked = true; });

/// Whether this thread has entered the team.
thread_local bool hasEntered = false;
/// Whether all workgroups of the dispatch that this thread is at have run.
thread_local bool hasRun = false;
/// What this thread's dispatches are written down in, if they are.
thread_local Recording *recording = nullptr;

/// What programs import.
int spread(const WaxSpreadParams *params, void *, void *) {
  const WaxWorkgroup &place = *params->workgroup;
  bool isFirst = !place.idX && !place.idY && !place.idZ;
  if (recording && isFirst)
    recording->emplace_back(*params, floatingPoint());
  if (hasEntered) {
    if (!isFirst) {
      if (hasRun)
        return 0;
    } else {
      int status;
      hasRun = runShared(*params, status);
      if (hasRun)
        return status;
    }
  }
  return params->kernel(params->environment, params->dispatch, &place);
}

//===----------------------------------------------------------------------===//
// What IREE knows this library by: iree/hal/local/executable_plugin.h
//===----------------------------------------------------------------------===//

struct PluginHeader {
  uint32_t version;
  const char *name;
  const char *description;
  uint32_t features;
  int sanitizer;
  uint64_t reserved[8];
};

struct ResolveParams {
  size_t count;
  const char *const *names;
  void **functions;
  void **contexts;
};

using Status = void *;

struct Plugin {
  const PluginHeader *header;
  Status (*load)(const void *environment, size_t numParams, const void *params,
                 void **self);
  void (*unload)(void *self);
  Status (*resolve)(void *self, const ResolveParams *params,
                    uint32_t *resolution);
};

constexpr uint32_t kPluginVersion = 1;
constexpr uint32_t kMissingOptional = 1;
const Status kOk = nullptr;
const Status kNotFound = reinterpret_cast<Status>(uintptr_t(5));

Status load(const void *, size_t, const void *, void **self) {
  *self = nullptr;
  return kOk;
}

void unload(void *) {}

Status resolve(void *, const ResolveParams *params, uint32_t *resolution) {
  bool missesSome = false;
  *resolution = 0;
  for (size_t i = 0; i < params->count; ++i) {
    std::string_view name = params->names[i];
    bool isOptional = name.substr(0, 1) == "?";
    if (params->functions[i])
      continue;
    if (name.substr(isOptional) == WAX_SPREAD_NAME) {
      params->functions[i] = reinterpret_cast<void *>(&spread);
      params->contexts[i] = nullptr;
    } else if (isOptional) {
      *resolution |= kMissingOptional;
    } else {
      missesSome = true;
    }
  }
  return missesSome ? kNotFound : kOk;
}

const PluginHeader header = {
    kPluginVersion, "wax-team", "threads that share dispatches", 0, 0, {}};
const Plugin plugin = {&header, load, unload, resolve};

} // namespace

bool wax::gatherTeam(unsigned numMembers) {
  if (isForked || !numMembers)
    return false;
  Team::team.gather(numMembers);
  Team::team.wake();
  return true;
}

bool wax::runShared(const WaxSpreadParams &params, int &status) {
  const WaxDispatch &dispatch = *params.dispatch;
  uint64_t count =
      uint64_t(dispatch.countX) * dispatch.countY * dispatch.countZ;
  return count > 1 && dispatch.maxConcurrency == 1 &&
         Team::team.run(params, count, status);
}

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT const Plugin *iree_hal_executable_plugin_query(uint32_t maxVersion,
                                                      void *) {
  return maxVersion < kPluginVersion ? nullptr : &plugin;
}

/// Has dispatches of this thread's programs shared by so many members besides
/// it, until it leaves.
EXPORT void wax_team_enter(unsigned numMembers) {
  if (gatherTeam(numMembers))
    hasEntered = true;
}

EXPORT void wax_team_leave() { hasEntered = hasRun = false; }

/// From now on, dispatches of this thread are written down.
EXPORT void wax_team_record() {
  delete recording;
  recording = new Recording;
}

/// What has been written down, for whoever calls to free: program.h. Null if
/// nothing was to be.
EXPORT Recording *wax_team_recorded() {
  return std::exchange(recording, nullptr);
}
