# SPDX-License-Identifier: GPL-3.0-or-later
# Compilers, flags and dependencies, each with its purpose, and the two functions that make targets.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT (ECHOLUX_QUICK_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")) # precompiled headers are not for it
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()

include(GNUInstallDirs)
set(ECHOLUX_HAS_CUDA OFF)
if(NOT ECHOLUX_CUDA STREQUAL "OFF")
  # NOTE: FindCUDAToolkit of CMake 3.25 sets a property of this target, which CUDA 13 no longer has.
  if(NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  find_package(CUDAToolkit 12.0 QUIET)
  if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND)
    set(card_found ON)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                      OUTPUT_VARIABLE cards RESULT_VARIABLE refused ERROR_QUIET)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" cards "${cards}")
      if(refused EQUAL 0 AND cards)
        string(REPLACE "." "" CMAKE_CUDA_ARCHITECTURES "${cards}")
        list(TRANSFORM CMAKE_CUDA_ARCHITECTURES APPEND -real)
        list(REMOVE_DUPLICATES CMAKE_CUDA_ARCHITECTURES)
      else()
        # PTX that every driver from Turing on can compile.
        set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
        set(card_found OFF)
      endif()
    endif()
    set(ECHOLUX_CARD_FOUND ${card_found} CACHE INTERNAL "Device code is compiled for a known card; app/run.sh reads this")
    enable_language(CUDA)
    # NOTE: CMake 3.25 does not know that nvcc 13 supports C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    set(ECHOLUX_HAS_CUDA ON)
  elseif(ECHOLUX_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ECHOLUX_CUDA=ON, but no nvcc 12 or newer was found; put it on PATH or set ECHOLUX_CUDA=OFF.")
  endif()
endif()
message(STATUS "CUDA backend: ${ECHOLUX_HAS_CUDA}")
set(Echolux_HAS_CUDA ${ECHOLUX_HAS_CUDA}) # for echolux_add_plugin(), as an installed Echolux says it

find_package(PkgConfig REQUIRED)
if(ECHOLUX_TESTS) # dozens of programs with the same libraries
  find_program(MOLD mold)
  if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)                                             # parallel loops of the CPU backend
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3f)                # FFT of the CPU backend
find_package(fmt REQUIRED)                                             # text of messages
find_package(spdlog REQUIRED)                                          # log
find_package(HDF5 REQUIRED COMPONENTS C)                               # recordings, MATLAB 7.3
pkg_check_modules(MATIO REQUIRED IMPORTED_TARGET matio)                # MATLAB 5
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)              # .npz, Thorlabs .oct
pkg_check_modules(BLOSC REQUIRED IMPORTED_TARGET blosc)                # HDF5 chunks that Blosc compressed
find_package(pugixml REQUIRED)                                         # XML headers
pkg_check_modules(TIFF REQUIRED IMPORTED_TARGET libtiff-4)             # TIFF pictures
find_package(DCMTK QUIET)                                              # DICOM cines; optional
if(ECHOLUX_FFMPEG)                                                     # MP4 and WebM; optional
  pkg_check_modules(FFMPEG QUIET IMPORTED_TARGET libavformat libavcodec libavutil libswscale)
endif()
pkg_check_modules(ARAVIS QUIET IMPORTED_TARGET aravis-0.8)             # cameras; optional
if(TARGET PkgConfig::ARAVIS) # NOTE: GLib's -pthread defines _REENTRANT, and headers precompiled without it are refused
  set_property(TARGET PkgConfig::ARAVIS PROPERTY INTERFACE_COMPILE_OPTIONS "")
endif()
find_package(ZLIB REQUIRED)                                            # checks MATLAB 5 before matio reads it
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)  # pipelines and sidecars
pkg_check_modules(ZMQ REQUIRED IMPORTED_TARGET libzmq)                 # frames and images over a network
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)              # SHA-256 of plugins
find_package(CLI11 REQUIRED)                                           # command lines
find_package(nlohmann_json REQUIRED)                                   # --json
find_package(GLEW REQUIRED)                                            # OpenGL functions
find_package(OpenGL REQUIRED COMPONENTS OpenGL)
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Test Gui Network Widgets OpenGL OpenGLWidgets PrintSupport Svg)
find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Multimedia)                 # sound of Doppler; optional
find_package(QCustomPlotQt6 REQUIRED)                                      # plots
if(ECHOLUX_HAS_CUDA)
  find_package(CUDAToolkit 12.0 REQUIRED)                                  # runtime, cuFFT, NVTX
endif()

# For `echolux --version`. Each commit changes the log, so that CMake runs again.
set(ECHOLUX_COMMIT "")
if(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --always --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(commit)
    set(ECHOLUX_COMMIT " (commit ${commit})")
  endif()
endif()
set(ECHOLUX_BUILT_WITH "Qt ${Qt6_VERSION}, oneTBB ${TBB_VERSION}, FFTW ${FFTW_VERSION}, HDF5 ${HDF5_VERSION}, matio ${MATIO_VERSION}, libzip ${LIBZIP_VERSION}, Blosc ${BLOSC_VERSION}, libtiff ${TIFF_VERSION}, pugixml ${pugixml_VERSION}, toml++ ${TOMLPLUSPLUS_VERSION}, ZeroMQ ${ZMQ_VERSION}, fmt ${fmt_VERSION}, spdlog ${spdlog_VERSION}")
if(TARGET DCMTK::dcmjpeg)
  string(APPEND ECHOLUX_BUILT_WITH ", DCMTK ${DCMTK_VERSION}")
endif()
if(TARGET PkgConfig::FFMPEG)
  string(APPEND ECHOLUX_BUILT_WITH ", libavcodec ${FFMPEG_libavcodec_VERSION}")
endif()
if(TARGET PkgConfig::ARAVIS)
  string(APPEND ECHOLUX_BUILT_WITH ", Aravis ${ARAVIS_VERSION}")
endif()
if(TARGET Qt6::Multimedia)
  string(APPEND ECHOLUX_BUILT_WITH ", Qt Multimedia")
endif()
if(ECHOLUX_HAS_CUDA)
  string(APPEND ECHOLUX_BUILT_WITH ", CUDA ${CUDAToolkit_VERSION}")
endif()

# Flags for every target of the project.
add_library(echolux_flags INTERFACE)
target_include_directories(echolux_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/echolux>)
set(warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(ECHOLUX_WERROR)
  list(APPEND warnings -Werror)
  # What GCC 12 finds after it has optimised depends on the processor and is often wrong about strings.
  foreach(guess IN ITEMS maybe-uninitialized array-bounds stringop-overflow stringop-overread stringop-truncation restrict
      free-nonheap-object dangling-pointer use-after-free nonnull format-overflow format-truncation)
    list(APPEND warnings -Wno-error=${guess})
  endforeach()
endif()
# Collecting garbage takes an eighth of the time of GCC, and saves a quarter of its memory (decision 0030).
set(no_collection "")
if(ECHOLUX_QUICK_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(no_collection --param=ggc-min-expand=1000 --param=ggc-min-heapsize=1000000)
endif()
# A quick build is for this machine. Where it has no card, nothing runs the device code: nvcc need not optimise it, and
# several .cu files are compiled at once. With a card their optimisation takes longest, in as many processes as possible.
set(device_code_runs ON)
if(ECHOLUX_QUICK_BUILD AND NOT (ECHOLUX_HAS_CUDA AND ECHOLUX_CARD_FOUND))
  set(device_code_runs OFF)
endif()
set(ECHOLUX_UNITE_CU OFF)
if(ECHOLUX_UNITE AND NOT device_code_runs)
  set(ECHOLUX_UNITE_CU ON)
endif()
# For the host code of .cu files; multiply_add.hpp gives the reason.
set(ECHOLUX_CU_HOST_FLAGS -ffp-contract=off)
set(arch "")
if(ECHOLUX_CPU_ARCH)
  set(arch -march=${ECHOLUX_CPU_ARCH})
  if(ECHOLUX_CPU_ARCH MATCHES "^x86-64-v[234]$") # the loader refuses an older processor with a sentence
    add_link_options(LINKER:-z,${ECHOLUX_CPU_ARCH})
  endif()
endif()
# NOTE: nothing of this reaches those who use the installed libraries: another processor may run them.
target_compile_options(echolux_flags INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${warnings};${no_collection};${arch}>>")
if(ECHOLUX_HAS_CUDA)
  # The CPU backend in .cu files runs on the same processor as that in .cpp files.
  set(host_flags ${arch} ${ECHOLUX_CU_HOST_FLAGS} -Wall -Wextra)
  list(JOIN host_flags "," host_flags)
  set(device_flags "")
  if(NOT device_code_runs AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
    message(STATUS "No card here: device code is not optimised. Set CMAKE_CUDA_ARCHITECTURES to build for another machine.")
    set(device_flags "--Ofast-compile=max;")
  endif()
  target_compile_options(echolux_flags INTERFACE
    "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:${device_flags}--expt-relaxed-constexpr;-lineinfo;-Xcompiler=${host_flags}>>")
  # NOTE: fmt 9 assumes that nvcc has no constexpr, and then refuses format strings.
  target_compile_definitions(echolux_flags INTERFACE
    $<BUILD_INTERFACE:ECHOLUX_HAS_CUDA=1> $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>>)
endif()

# echolux_library(NAME PLACES...): a static library, or one of the kind in the variable library_kind, of the .cpp and .cu
# files below PLACES, which are folders or files (relative to the current folder). Without CUDA, .cu files compile as
# plain C++.
function(echolux_library name)
  set(sources "")
  foreach(place IN LISTS ARGN)
    if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${place})
      file(GLOB_RECURSE found CONFIGURE_DEPENDS ${place}/*.cpp ${place}/*.cu ${place}/*.hpp ${place}/*.cuh)
      list(APPEND sources ${found})
    else()
      list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/${place})
    endif()
  endforeach()
  if(NOT library_kind)
    set(library_kind STATIC)
  endif()
  add_library(${name} ${library_kind} ${sources})
  string(REPLACE echolux_ "" exported ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${exported})
  add_library(Echolux::${exported} ALIAS ${name})
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  if(ECHOLUX_UNITE_CU)
    echolux_unite_cu(${name} sources)
  endif()
  # NOTE: CMake 3.31 and later would unite them, too, although nvcc takes longest for them.
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT ECHOLUX_HAS_CUDA)
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "${ECHOLUX_CU_HOST_FLAGS}")
  endif()
  target_link_libraries(${name} PUBLIC echolux_flags)
  echolux_unite(${name})
endfunction()

# echolux_unite_cu(TARGET NAMED): compiles the .cu files in the variable NAMED several at once, which CMake
# does for .cpp files alone. NAMED then holds the files that include them. What echolux_unite says of names holds here, too.
function(echolux_unite_cu target named)
  set(united "")
  set(rest ${${named}})
  while(rest)
    list(LENGTH united index)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/united/${target}_${index}.cu)
    list(SUBLIST rest 0 ${ECHOLUX_UNITED_FILES} group)
    list(REMOVE_ITEM rest ${group})
    set_source_files_properties(${group} PROPERTIES HEADER_FILE_ONLY ON)
    list(TRANSFORM group REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN group "" group)
    file(CONFIGURE OUTPUT ${file} CONTENT "${group}" @ONLY)
    list(APPEND united ${file})
  endwhile()
  target_sources(${target} PRIVATE ${united})
  set(${named} ${united} PARENT_SCOPE)
endfunction()

# Headers that most files include. NOTE: each source still includes all that it uses; builds without
# precompiled headers check this.
set(ECHOLUX_COMMON_HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <filesystem> <functional>
    <limits> <map> <memory> <mutex> <numbers> <optional> <set> <span> <string> <string_view> <thread> <utility> <variant>
    <vector> <fmt/format.h> <fmt/ranges.h>)

# echolux_precompile(TARGET HEADERS...): in quick builds TARGET reads HEADERS once for all its files.
# The only header may be the name of another target, whose headers are then shared; both targets must
# have the same flags.
function(echolux_precompile target)
  # NOTE: compilers other than GCC refuse headers that were read with fewer definitions than the file
  # has. REUSE_FROM makes TARGET depend on the other target, also where CMake precompiles nothing.
  if(NOT ECHOLUX_QUICK_BUILD OR CMAKE_DISABLE_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  elseif(TARGET "${ARGV1}")
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  else()
    set(headers ${ARGN})
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()

# echolux_optimise(TARGET LEVEL): in quick builds TARGET is optimised up to LEVEL only. It is for
# targets that compute little.
function(echolux_optimise target level)
  if(ECHOLUX_QUICK_BUILD AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${level}>)
  endif()
endfunction()

# echolux_unite(TARGET): in quick builds several files of TARGET are compiled at once. NOTE: unnamed
# namespaces and macros of one file are then visible in others, so names must differ. tests/arch
# checks the includes, and `tests/run.sh --alone` compiles each file by itself.
function(echolux_unite target)
  if(ECHOLUX_QUICK_BUILD AND ECHOLUX_UNITE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # Once all its files are known. NOTE: a deferred call reads its variables only then.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL echolux_group_sources ${target})")
  endif()
endfunction()

# NOTE: groups that CMake makes differ between its versions, and names that clash show only where their files meet.
function(echolux_group_sources target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(index 0)
  foreach(source IN LISTS sources)
    set(alone OFF) # as CMake has it for files with flags of their own
    foreach(property IN ITEMS SKIP_UNITY_BUILD_INCLUSION COMPILE_OPTIONS COMPILE_DEFINITIONS)
      get_source_file_property(value ${source} ${property})
      if(value)
        set(alone ON)
      endif()
    endforeach()
    if(NOT alone)
      math(EXPR group "${index} / ${ECHOLUX_UNITED_FILES}")
      math(EXPR index "${index} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# echolux_embed(TARGET NAME FILES...): compiles text files into TARGET, which then offers
# `std::span<const echolux::EmbeddedFile> echolux::NAME()`, declared in the generated "embedded/NAME.hpp".
function(echolux_embed target name)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.hpp)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  add_custom_command(OUTPUT ${header} ${source}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DHEADER=${header} -DSOURCE=${source} "-DFILES=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/app/cmake/embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/app/cmake/embed.cmake VERBATIM)
  target_sources(${target} PRIVATE ${source} ${header})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}>)
endfunction()
