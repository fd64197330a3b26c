# wax_tablegen(<name> <file.td> <generator> <output> [<generator> <output>]...)
# runs mlir-tblgen on one file for several outputs, and makes the target <name> that stands for them all.
# Outputs land in the current binary directory; includes are searched in WAX_TABLEGEN_INCLUDES.

set(WAX_TABLEGEN_INCLUDES
  "${PROJECT_SOURCE_DIR}/dialect/include"
  "${PROJECT_SOURCE_DIR}/passes/include")

function(wax_tablegen name td)
  include_directories(${MLIR_INCLUDE_DIRS} ${WAX_TABLEGEN_INCLUDES})
  set(LLVM_TARGET_DEFINITIONS "${td}")
  set(TABLEGEN_OUTPUT "")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest generator output)
    separate_arguments(generator)
    mlir_tablegen(${output} ${generator})
  endwhile()
  add_custom_target(${name} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()
