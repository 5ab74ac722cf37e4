# SPDX-License-Identifier: GPL-3.0-or-later
# echolux_add_plugin(NAME SOURCES...): a library NAME.so with stages, readers, live sources or views, for pipelines or users to name. Sources that end with .cu
# compile for the GPU where Echolux was built with CUDA and nvcc is found here, and else for the CPU alone. The library
# holds its own copy of what it uses of Echolux, so any program that reads the same declarations can load it.
function(echolux_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Echolux::gpu Echolux::recording)
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  if(Echolux_HAS_CUDA AND CMAKE_CUDA_COMPILER)
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-ffp-contract=off>")
    target_compile_definitions(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
  else()
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-ffp-contract=off")
  endif()
endfunction()
