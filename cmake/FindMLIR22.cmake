# Finds MLIR 22: the one named by MLIR_DIR, else the one that llvm-config-22 belongs to, else
# wherever CMake looks. Stops with the names of the packages when there is none.

set(WAX_MLIR_VERSION 22)

if(NOT MLIR_DIR AND DEFINED ENV{MLIR_DIR})
  set(MLIR_DIR "$ENV{MLIR_DIR}")
endif()
if(MLIR_DIR AND NOT EXISTS "${MLIR_DIR}/MLIRConfig.cmake")
  message(FATAL_ERROR "MLIR_DIR names ${MLIR_DIR}, which holds no MLIRConfig.cmake")
endif()
if(NOT MLIR_DIR)
  find_program(LLVM_CONFIG_PROGRAM NAMES llvm-config-${WAX_MLIR_VERSION}
               HINTS /usr/lib/llvm-${WAX_MLIR_VERSION}/bin)
  if(LLVM_CONFIG_PROGRAM)
    execute_process(COMMAND "${LLVM_CONFIG_PROGRAM}" --cmakedir
                    OUTPUT_VARIABLE wax_llvm_cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
                    RESULT_VARIABLE wax_llvm_config_status ERROR_QUIET)
    if(wax_llvm_config_status EQUAL 0)
      cmake_path(GET wax_llvm_cmake_dir PARENT_PATH wax_cmake_root)
      set(wax_mlir_hint "${wax_cmake_root}/mlir")
    endif()
  endif()
endif()

# MLIR's version file takes only an equal major.minor, so the major is compared here.
find_package(MLIR QUIET CONFIG HINTS "${wax_mlir_hint}")
if(NOT MLIR_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL WAX_MLIR_VERSION)
  set(wax_refused "")
  if(MLIR_FOUND)
    set(wax_refused " (${MLIR_DIR} holds ${LLVM_PACKAGE_VERSION})")
  endif()
  message(FATAL_ERROR
    "wax is built against MLIR ${WAX_MLIR_VERSION}, which was not found${wax_refused}.\n"
    "On Debian and Ubuntu install it with\n"
    "    apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools libzstd-dev zlib1g-dev\n"
    "or name another build of it by its CMake directory, for instance\n"
    "    MLIR_DIR=/opt/llvm-22/lib/cmake/mlir pip install .\n")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
