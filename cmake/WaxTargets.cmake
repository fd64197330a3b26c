# The two kinds of target in this project: a static library of MLIR code, and a program or module that
# links such libraries with nothing left visible.

# What most files read and nobody here changes.
set(WAX_MLIR_HEADERS
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Arith/Utils/Utils.h>
  <mlir/Dialect/Complex/IR/Complex.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/IR/Matchers.h>)

# Takes what target_precompile_headers takes; another target's serve where the flags are the same.
function(wax_precompile target)
  if(WAX_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()

# Flags for code that is MLIR's kind of C++: no exceptions, no run-time type information.
function(wax_mlir_code target)
  target_compile_options(${target} PRIVATE
    -fno-exceptions -fno-rtti -Wall -Wextra -Wno-unused-parameter)
  wax_common_code(${target})
endfunction()

function(wax_common_code target)
  # An installed library has those of the MLIR that is found where it is used: see WaxConfig.cmake.in.
  target_include_directories(${target} SYSTEM PUBLIC "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
  # GNU unique symbols are one per process whatever their visibility; MLIR's TypeIDs must be one per library.
  target_compile_options(${target} PRIVATE
    -ffunction-sections -fdata-sections $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
endfunction()

# wax_add_library(<name> EXPORT <name> SOURCES ... DEPENDS <tablegen targets> LINK <libraries> PRECOMPILE <...>)
# Its headers are in include/. Others find it, installed, as Wax::<export name>. The last is for wax_precompile.
function(wax_add_library name)
  cmake_parse_arguments(arg "" "EXPORT" "SOURCES;DEPENDS;LINK;PRECOMPILE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${arg_EXPORT})
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include;${CMAKE_CURRENT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  wax_mlir_code(${name})
  wax_precompile(${name} ${arg_PRECOMPILE})
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${arg_LINK})
endfunction()

function(wax_link_closed target)
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed -Wl,-O1)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(${target} PRIVATE -Wl,--strip-all)
  endif()
endfunction()
