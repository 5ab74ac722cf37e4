# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where, and what find_package(Echolux) finds there.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Echolux)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/echolux)

install(TARGETS echolux EXPORT Echolux RUNTIME)
install(TARGETS echolux_c EXPORT Echolux LIBRARY NAMELINK_COMPONENT development
  PUBLIC_HEADER COMPONENT development INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS echolux_flags echolux_model echolux_gpu echolux_pipeline echolux_dataset EXPORT Echolux
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/echolux COMPONENT development)
install(EXPORT Echolux NAMESPACE Echolux:: DESTINATION ${package} FILE EcholuxTargets.cmake COMPONENT development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/gpu DESTINATION ${headers} COMPONENT development
  FILES_MATCHING PATTERN *.hpp PATTERN *.cuh PATTERN ladder EXCLUDE PATTERN microbench EXCLUDE PATTERN check EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/pipeline ${PROJECT_SOURCE_DIR}/app/dataset DESTINATION ${headers}/app
  COMPONENT development FILES_MATCHING PATTERN *.hpp)
install(FILES ${ECHOLUX_BUILD_TAG_FOLDER}/echolux_build_tag.hpp DESTINATION ${headers} COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/app/cmake/EcholuxConfig.cmake.in EcholuxConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(EcholuxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/EcholuxConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/EcholuxConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/app/cmake/echolux_plugin.cmake DESTINATION ${package} COMPONENT development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/plugins ${PROJECT_SOURCE_DIR}/resources/examples
  ${PROJECT_SOURCE_DIR}/resources/pipelines
  DESTINATION ${CMAKE_INSTALL_DATADIR}/echolux)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# A Python wheel holds its own copy of the library; pyproject.toml installs this component alone.
install(TARGETS echolux_c LIBRARY DESTINATION echolux NAMELINK_SKIP COMPONENT python EXCLUDE_FROM_ALL)
