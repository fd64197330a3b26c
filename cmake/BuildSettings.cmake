# Compiler, linker and cache settings that hold for every target of the project.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Nothing of ours, nor of the MLIR linked into us, may be seen by another LLVM in the same process
# (IREE, JAX and PyTorch each bring one).
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# What MLIR's classes assert costs time at every cast; whoever works on the C++ wants it.
option(WAX_ENABLE_ASSERTIONS "Keep assertions in an optimized build" OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(WAX_ENABLE_ASSERTIONS)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2")
endif()

# With paths taken relative to the source, one clone's results serve another.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true "${CCACHE_PROGRAM}")
endif()

# Half of a build from nothing is MLIR's headers. GCC never writes the same precompiled ones twice, so with them
# ccache would know nothing again: one or the other.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(WAX_PRECOMPILE_HEADERS_DEFAULT OFF)
else()
  set(WAX_PRECOMPILE_HEADERS_DEFAULT ON)
endif()
option(WAX_PRECOMPILE_HEADERS "Read MLIR's headers once" ${WAX_PRECOMPILE_HEADERS_DEFAULT})
