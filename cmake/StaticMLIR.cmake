# Turns the imported MLIR targets into ones that link statically.
#
# Debian builds MLIR with LLVM_LINK_LLVM_DYLIB, so each MLIR archive names the shared `LLVM` in its
# INTERFACE_LINK_LIBRARIES. Linking that would put libLLVM.so beside the LLVM of IREE, JAX and PyTorch
# in one process. Here the name is replaced by the static components; an MLIR that was built without
# the shared library already names them, and is left as it is.

add_library(wax_static_llvm INTERFACE)
# Only the members that are referred to are taken from an archive, so a component too many costs nothing.
target_link_libraries(wax_static_llvm INTERFACE
  LLVMCore LLVMRemarks LLVMTargetParser LLVMSupportLSP LLVMSupport)

foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  if(NOT TARGET ${target})
    continue()
  endif()
  get_target_property(kind ${target} TYPE)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  if(kind STREQUAL "STATIC_LIBRARY" AND libraries)
    list(TRANSFORM libraries REPLACE "^LLVM$" "wax_static_llvm")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endforeach()

# LLVMSupport also names shared zlib, zstd and Z3. The first two are linked statically where the archive
# is there; nothing in MLIR asks for Z3.
get_target_property(wax_support_libraries LLVMSupport INTERFACE_LINK_LIBRARIES)
list(FILTER wax_support_libraries EXCLUDE REGEX "z3")
if(TARGET zstd::libzstd_static)
  list(TRANSFORM wax_support_libraries REPLACE "^zstd::libzstd_shared$" "zstd::libzstd_static")
endif()
find_library(WAX_ZLIB_ARCHIVE NAMES libz.a)
if(WAX_ZLIB_ARCHIVE)
  list(TRANSFORM wax_support_libraries REPLACE "^ZLIB::ZLIB$" "${WAX_ZLIB_ARCHIVE}")
endif()
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${wax_support_libraries}")
