# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where, and what find_package(Echolux) finds there.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Echolux)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/echolux)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

set(own ${CMAKE_INSTALL_LIBDIR}/echolux) # libraries that nothing else finds
if(ECHOLUX_PROCESSORS OR ECHOLUX_PACKAGE)
  file(RELATIVE_PATH from_bin /${CMAKE_INSTALL_BINDIR} /${own})
  set_target_properties(echolux echolux_bench PROPERTIES INSTALL_RPATH $ORIGIN/${from_bin})
  set_target_properties(echolux_c PROPERTIES INSTALL_RPATH $ORIGIN/echolux)
  file(RELATIVE_PATH from_reader /${CMAKE_INSTALL_LIBEXECDIR}/echolux /${own})
  set_target_properties(echolux_reader PROPERTIES INSTALL_RPATH "$ORIGIN/${from_reader};$ORIGIN/echolux")
  if(ECHOLUX_PACKAGE_CUDA_RUNTIME)
    set_target_properties(echolux_gpu PROPERTIES INSTALL_RPATH $ORIGIN)
  endif()
endif()

# What is installed is built first: app/run.sh builds the program alone. If that fails, nothing is installed.
add_custom_target(installed)
add_dependencies(installed echolux echolux_c)
if(NOT ECHOLUX_PACKAGE) # there the build itself installs
  install(CODE "
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target installed OUTPUT_QUIET RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR \"The build failed, so nothing was installed; 'cmake --build ${CMAKE_BINARY_DIR} --target installed' shows why.\")
    endif()")
endif()

install(TARGETS echolux EXPORT Echolux RUNTIME)
# Library and benches are packages of their own, but with CUDA there is one package. Benches are installed where they were built.
set(library library)
set(bench bench)
if(ECHOLUX_PACKAGE AND ECHOLUX_HAS_CUDA)
  set(library program)
  set(bench program)
endif()
install(TARGETS echolux_bench RUNTIME COMPONENT ${bench} OPTIONAL)
install(TARGETS echolux_reader RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/echolux COMPONENT ${library})
install(TARGETS echolux_c EXPORT Echolux LIBRARY COMPONENT ${library} NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS echolux_flags echolux_model echolux_gpu echolux_toml echolux_recording echolux_pipeline echolux_dataset EXPORT Echolux
  ARCHIVE DESTINATION ${own} COMPONENT development LIBRARY DESTINATION ${own} COMPONENT ${library})
foreach(processor IN LISTS ECHOLUX_PROCESSORS)
  install(TARGETS echolux_gpu_${processor} LIBRARY DESTINATION ${own}/glibc-hwcaps/${processor} COMPONENT ${library})
endforeach()
install(EXPORT Echolux NAMESPACE Echolux:: DESTINATION ${package} FILE EcholuxTargets.cmake COMPONENT development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/gpu DESTINATION ${headers} COMPONENT development
  FILES_MATCHING PATTERN *.hpp PATTERN *.cuh PATTERN ladder EXCLUDE PATTERN microbench EXCLUDE PATTERN check EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/pipeline ${PROJECT_SOURCE_DIR}/app/dataset DESTINATION ${headers}/app
  COMPONENT development FILES_MATCHING PATTERN *.hpp PATTERN *.def)
install(FILES ${PROJECT_SOURCE_DIR}/app/live/live_source.hpp ${PROJECT_SOURCE_DIR}/app/live/source_type.hpp
  DESTINATION ${headers}/app/live COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/app/session/view_type.hpp DESTINATION ${headers}/app/session COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/app/library/echolux.h ${PROJECT_SOURCE_DIR}/app/live/client/echolux_live.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/app/live/client/echolux_live.py DESTINATION ${CMAKE_INSTALL_DATADIR}/echolux/examples)
install(FILES ${ECHOLUX_BUILD_TAG_FOLDER}/echolux_build_tag.hpp DESTINATION ${headers} COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/app/cmake/EcholuxConfig.cmake.in EcholuxConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(EcholuxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/EcholuxConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/EcholuxConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/app/cmake/echolux_plugin.cmake DESTINATION ${package} COMPONENT development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/plugins ${PROJECT_SOURCE_DIR}/resources/examples ${PROJECT_SOURCE_DIR}/resources/cluster
  ${PROJECT_SOURCE_DIR}/resources/pipelines
  DESTINATION ${CMAKE_INSTALL_DATADIR}/echolux)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/testdata/ DESTINATION ${CMAKE_INSTALL_DATADIR}/echolux/recordings FILES_MATCHING PATTERN *.h5)
if(NOT ECHOLUX_PACKAGE) # a package has the forms that Debian wants
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

# The desktop: what starts the program and opens its files.
set(desktop ${PROJECT_SOURCE_DIR}/resources/package/org.echolux.Echolux)
install(FILES ${desktop}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${desktop}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${desktop}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME org.echolux.Echolux.xml)
install(FILES ${desktop}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)

# The program itself writes its manual pages and completions.
set(written ${CMAKE_CURRENT_BINARY_DIR}/written)
set(write_manual "
  file(REMOVE_RECURSE ${written}/man)
  file(MAKE_DIRECTORY ${written}/man)
  execute_process(COMMAND $<TARGET_FILE:echolux> manual ${written}/man COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages ${written}/man/*.1)
  execute_process(COMMAND gzip -9n \${pages} COMMAND_ERROR_IS_FATAL ANY)")
install(CODE "${write_manual}
  foreach(shell IN ITEMS bash zsh fish)
    execute_process(COMMAND $<TARGET_FILE:echolux> completion \${shell} OUTPUT_FILE ${written}/\${shell} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(DIRECTORY ${written}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 PATTERN echolux-bench.1.gz EXCLUDE)
if(NOT bench STREQUAL program)
  install(CODE "${write_manual}" COMPONENT ${bench})
endif()
install(FILES ${written}/man/echolux-bench.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${bench})
install(FILES ${written}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME echolux)
install(FILES ${written}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _echolux)
install(FILES ${written}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME echolux.fish)

# The manual, where `cmake --build BUILD --target manual` has built it.
add_custom_target(manual COMMAND ${PROJECT_SOURCE_DIR}/manual/build.sh ${CMAKE_BINARY_DIR}/manual $<TARGET_FILE:echolux> VERBATIM)
install(DIRECTORY ${CMAKE_BINARY_DIR}/manual/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/manual OPTIONAL)

# A Python wheel holds its own copy of the library; pyproject.toml installs this component alone.
install(TARGETS echolux_c LIBRARY DESTINATION echolux NAMELINK_SKIP COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS echolux_reader RUNTIME DESTINATION echolux COMPONENT python EXCLUDE_FROM_ALL)
if(ECHOLUX_PROCESSORS)
  install(TARGETS echolux_gpu LIBRARY DESTINATION echolux/echolux COMPONENT python EXCLUDE_FROM_ALL)
  foreach(processor IN LISTS ECHOLUX_PROCESSORS)
    add_dependencies(echolux_c echolux_gpu_${processor})
    install(TARGETS echolux_gpu_${processor} LIBRARY DESTINATION echolux/echolux/glibc-hwcaps/${processor} COMPONENT python EXCLUDE_FROM_ALL)
  endforeach()
endif()
