# Extension modules of the package wax, which bind what wax has in C++.

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE nanobind_status ERROR_QUIET)
if(NOT nanobind_status EQUAL 0)
  message(FATAL_ERROR "The Python package nanobind is missing: ${Python_EXECUTABLE} -m pip install nanobind")
endif()
find_package(nanobind CONFIG REQUIRED)

# wax_add_extension(<name> SOURCES ... LINK <libraries> PRECOMPILE <headers>): the module wax.<name>. Only its own files
# see Python, and only they are built with exceptions and RTTI.
function(wax_add_extension name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  nanobind_add_module(${name} NB_STATIC NB_DOMAIN wax NOMINSIZE ${arg_SOURCES})
  wax_common_code(${name})
  wax_precompile(${name} PRIVATE ${arg_PRECOMPILE})
  wax_link_closed(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  # The build id is part of what compiled programs are cached under.
  set(exports "${CMAKE_CURRENT_BINARY_DIR}/${name}.exports")
  file(CONFIGURE OUTPUT "${exports}" CONTENT "{ global: PyInit_${name}; local: *; };\n")
  target_link_options(${name} PRIVATE "-Wl,--version-script=${exports}" "-Wl,--build-id=sha1")
  set_target_properties(${name} PROPERTIES LINK_DEPENDS "${exports}")
  if(SKBUILD)
    install(TARGETS ${name} LIBRARY DESTINATION wax)
  else()
    # Straight into the package, so that a checkout on sys.path is a working installation.
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_SOURCE_DIR}/frontend/wax")
  endif()
endfunction()
