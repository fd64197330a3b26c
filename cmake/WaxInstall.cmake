# What `cmake --install` gives to those who build on the dialect and the passes in C++: headers, TableGen files,
# static libraries, and the package `Wax` with the targets Wax::Dialect and Wax::Passes. See examples/vendor-opt.

include(CMakePackageConfigHelpers)

set(wax_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/wax")

foreach(part dialect passes)
  foreach(root "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    install(DIRECTORY "${root}/${part}/include/wax" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
            FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
  endforeach()
endforeach()

install(TARGETS WaxDialect WaxPasses EXPORT WaxTargets COMPONENT development)
install(EXPORT WaxTargets NAMESPACE Wax:: DESTINATION "${wax_package_dir}" COMPONENT development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/WaxConfig.cmake.in" "${PROJECT_BINARY_DIR}/WaxConfig.cmake"
  INSTALL_DESTINATION "${wax_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/WaxConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/WaxConfig.cmake" "${PROJECT_BINARY_DIR}/WaxConfigVersion.cmake"
        DESTINATION "${wax_package_dir}" COMPONENT development)
