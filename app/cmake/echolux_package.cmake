# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages: echolux, with all that runs, and libecholux-dev, with what others build against.
# `cmake --preset package && cmake --build build/package --target package` writes both.
set(doc ${CMAKE_CURRENT_BINARY_DIR}/doc)
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(version ${PROJECT_VERSION}-1)
file(CONFIGURE OUTPUT ${doc}/changelog.Debian CONTENT "echolux (${version}) unstable; urgency=medium

  * See changelog.gz for what is new.

 -- The Echolux developers <maintainers@echolux.example>  ${today}
")
install(CODE "
  configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${doc}/changelog COPYONLY)
  execute_process(COMMAND gzip -9nfk changelog changelog.Debian WORKING_DIRECTORY ${doc} COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${doc}/changelog.gz ${doc}/changelog.Debian.gz ${PROJECT_SOURCE_DIR}/resources/package/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/echolux)
install(FILES ${doc}/changelog.Debian.gz ${PROJECT_SOURCE_DIR}/resources/package/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libecholux-dev COMPONENT development)

foreach(package IN ITEMS echolux libecholux-dev)
  set(component program)
  if(package STREQUAL "libecholux-dev")
    set(component development)
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/resources/package/${package}.lintian-overrides
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Echolux)
set(CPACK_PACKAGE_CONTACT "The Echolux developers <maintainers@echolux.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}/gpu)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME echolux)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# The window loads these at run time, so no library names them.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libgl1-mesa-dri, fonts-dejavu-core")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "qt6-qpa-plugins, fonts-dejavu-extra")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/resources/package/triggers)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "live imaging of ultrasound channel data and raw OCT spectra
Echolux streams recorded or simulated ultrasound channel data, or raw spectra
of optical coherence tomography, through a pipeline that forms the image while
you watch. Every parameter is a slider, and the image follows.
.
The package holds the window, the commands, the C library libecholux and
simulated recordings. This build computes on the processor.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libecholux-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "echolux (= ${version}), libtbb-dev, libfftw3-dev, libfmt-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "libecholux and the stages of Echolux, for programs and plugins
Headers and CMake files. With them other programs drive pipelines through the
C library, and stages of your own are built as plugins of Echolux.")
include(CPack)
