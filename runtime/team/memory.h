//===- memory.h - Scratch memory, and how a thread computes
//----------------===//

#ifndef WAX_TEAM_MEMORY_H
#define WAX_TEAM_MEMORY_H

#include <cstdint>
#include <cstdlib>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wax {

/// How the calling thread rounds, and whether it takes denormal numbers for 0.
inline uint64_t floatingPoint() {
#if defined(__x86_64__)
  return _mm_getcsr();
#elif defined(__aarch64__)
  uint64_t word;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
#endif
}

inline void setFloatingPoint(uint64_t word) {
#if defined(__x86_64__)
  _mm_setcsr(unsigned(word));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" ::"r"(word));
#endif
}

/// Memory for what IREE lends to a workgroup.
class LocalMemory {
public:
  LocalMemory() = default;
  LocalMemory(const LocalMemory &) = delete;
  LocalMemory &operator=(const LocalMemory &) = delete;
  ~LocalMemory() { std::free(memory); }

  /// Null where there is not as much.
  void *ofSize(uint32_t size) {
    if (size <= capacity)
      return memory;
    std::free(memory);
    capacity = 0;
    if (posix_memalign(&memory, 4096, size))
      return memory = nullptr;
    capacity = size;
    return memory;
  }

private:
  void *memory = nullptr;
  uint32_t capacity = 0;
};

} // namespace wax

#endif // WAX_TEAM_MEMORY_H
