# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages: libecholux0, the library without the window; echolux, the program; echolux-bench, with the benches;
# libecholux-dev, with what others build against; python3-echolux. A build with CUDA makes one package in place of the
# first three: echolux-cuda, with all that runs. It depends on NVIDIA's packages of the CUDA runtime and cuFFT, or holds
# these two libraries (ECHOLUX_PACKAGE_CUDA_RUNTIME).
# `cmake --preset package && cmake --build build/package --target package` writes them, with package-cuda the other one.
set(packages echolux libecholux0 echolux-bench libecholux-dev python3-echolux)
set(components program library bench development modules)
if(ECHOLUX_HAS_CUDA)
  set(packages echolux-cuda)
  set(components program)
endif()
set(doc ${CMAKE_CURRENT_BINARY_DIR}/doc)
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(version ${PROJECT_VERSION}-1)
file(READ ${PROJECT_SOURCE_DIR}/resources/package/copyright copyright)
if(ECHOLUX_HAS_CUDA AND ECHOLUX_PACKAGE_CUDA_RUNTIME)
  file(READ ${PROJECT_SOURCE_DIR}/resources/package/copyright-cuda cuda)
  string(APPEND copyright "${cuda}")
endif()
file(CONFIGURE OUTPUT ${doc}/copyright CONTENT "${copyright}" @ONLY)
install(CODE "
  configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${doc}/changelog COPYONLY)
  execute_process(COMMAND gzip -9nfk changelog WORKING_DIRECTORY ${doc} COMMAND_ERROR_IS_FATAL ANY)")
foreach(package component IN ZIP_LISTS packages components)
  file(CONFIGURE OUTPUT ${doc}/${package}/changelog.Debian CONTENT "${package} (${version}) unstable; urgency=medium

  * See changelog.gz for what is new.

 -- The Echolux developers <maintainers@echolux.example>  ${today}
")
  install(CODE "
    execute_process(COMMAND gzip -9nfk changelog.Debian WORKING_DIRECTORY ${doc}/${package} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
  install(FILES ${doc}/${package}/changelog.Debian.gz ${doc}/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/resources/package/${package}.lintian-overrides
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package} COMPONENT ${component})
endforeach()
list(GET packages 0 program)
install(FILES ${doc}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${program})

# Python's modules, and what tells other packages of them: their entry points, as in pyproject.toml.
if(NOT ECHOLUX_HAS_CUDA)
  set(modules lib/python3/dist-packages)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/library/python/echolux DESTINATION ${modules} COMPONENT modules
    PATTERN __pycache__ EXCLUDE)
  file(STRINGS ${PROJECT_SOURCE_DIR}/pyproject.toml points REGEX "^\".* = { echolux = ")
  list(TRANSFORM points REPLACE "^\"(.*)\" = { (echolux) = \"(.*)\" }$" "[\\1]\n\\2 = \\3\n")
  list(JOIN points "" points)
  file(CONFIGURE OUTPUT ${doc}/modules/entry_points.txt CONTENT "${points}" @ONLY)
  file(CONFIGURE OUTPUT ${doc}/modules/METADATA @ONLY CONTENT "Metadata-Version: 2.1
Name: echolux
Version: ${PROJECT_VERSION}
Requires-Dist: numpy
")
  install(DIRECTORY ${doc}/modules/ DESTINATION ${modules}/echolux-${PROJECT_VERSION}.dist-info COMPONENT modules)
endif()

set(runtime ${CMAKE_CURRENT_BINARY_DIR}/gpu)
set(needed "libgl1-mesa-dri, fonts-dejavu-core") # the window loads these at run time, so no library names them
if(ECHOLUX_HAS_CUDA)
  foreach(library IN ITEMS cudart cufft)
    get_target_property(file CUDA::${library} IMPORTED_LOCATION)
    file(REAL_PATH ${file} file)
    cmake_path(GET file PARENT_PATH folder)
    list(APPEND runtime ${folder})
    if(ECHOLUX_PACKAGE_CUDA_RUNTIME)
      install(FILES ${file} DESTINATION ${own})
    endif()
  endforeach()
  if(NOT ECHOLUX_PACKAGE_CUDA_RUNTIME)
    set(release ${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR})
    string(APPEND needed ", cuda-cudart-${release}, libcufft-${release}")
  endif()
endif()

find_program(ECHOLUX_FILE_TOOL file REQUIRED) # CPack finds by it what depends on which libraries
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Echolux)
set(CPACK_PACKAGE_CONTACT "The Echolux developers <maintainers@echolux.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${runtime})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ${program})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libecholux0 (= ${version}), ${needed}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libpython3.13 | libpython3.12 | libpython3.11, python3-numpy") # stages in Python
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "qt6-qpa-plugins, fonts-dejavu-extra")
set(triggers ${PROJECT_SOURCE_DIR}/resources/package/triggers) # ldconfig
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${triggers})
set(holds "the window, the commands and simulated recordings")
set(backend "This build computes on the processor.")
if(ECHOLUX_HAS_CUDA)
  set(holds "the window, the commands, the C library libecholux and\nsimulated recordings")
  set(backend "This build computes on NVIDIA GPUs, and on the
processor where there is none. It needs a driver for CUDA ${CUDAToolkit_VERSION_MAJOR}.")
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${needed}")
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${triggers})
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_PROVIDES "echolux (= ${version}), echolux-bench (= ${version}), libecholux0 (= ${version})")
  foreach(relation IN ITEMS CONFLICTS REPLACES)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_${relation} "echolux, echolux-bench, libecholux0")
  endforeach()
endif()
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "live imaging of ultrasound channel data and raw OCT spectra
Echolux streams recorded or simulated ultrasound channel data, or raw spectra
of optical coherence tomography, through a pipeline that forms the image while
you watch. Every parameter is a slider, and the image follows.
.
The package holds ${holds}.
${backend}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libecholux0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "recordings and pipelines of Echolux as a C library
The library opens recordings of ultrasound channel data and of raw spectra of
optical coherence tomography, and runs the pipelines that image them. It needs
no window. This build computes on the processor.")
set(CPACK_DEBIAN_MODULES_PACKAGE_NAME python3-echolux)
set(CPACK_DEBIAN_MODULES_PACKAGE_SECTION python)
set(CPACK_DEBIAN_MODULES_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_MODULES_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_MODULES_PACKAGE_DEPENDS "libecholux0 (= ${version}), python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_MODULES_PACKAGE_RECOMMENDS "echolux")
set(CPACK_DEBIAN_MODULES_PACKAGE_SUGGESTS "python3-xarray")
set(CPACK_DEBIAN_MODULES_DESCRIPTION "recordings and pipelines of Echolux in Python
The module echolux opens recordings of ultrasound channel data and of raw
spectra of optical coherence tomography as NumPy arrays, and runs the
pipelines that image them.")
set(CPACK_DEBIAN_BENCH_PACKAGE_NAME echolux-bench)
set(CPACK_DEBIAN_BENCH_PACKAGE_SECTION science)
set(CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS "echolux (= ${version})")
set(CPACK_DEBIAN_BENCH_DESCRIPTION "benches of Echolux, and the tables of published documents
The command `echolux bench` measures how fast this machine images, and repeats
measurements of published documents with the documents' own kernels.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libecholux-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libecholux0 (= ${version}), echolux (= ${version}), libtbb-dev, libfftw3-dev, libfmt-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "libecholux and the stages of Echolux, for programs and plugins
Headers and CMake files. With them other programs drive pipelines through the
C library, and stages of your own are built as plugins of Echolux.")
include(CPack)
