# SPDX-License-Identifier: GPL-3.0-or-later
# echolux_discover_suites(TARGET FOLDER ALONE PROPERTIES...): once TARGET is built, each suite of it is a test of CTest, named
# FOLDER/SUITE, because starting a process takes longer than most tests do. Of suites whose name matches ALONE each test
# has a process of its own. As a script this file asks PROGRAM for its suites and writes OUTPUT.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(ECHOLUX_SUITES_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

  function(echolux_discover_suites target folder alone)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
    list(JOIN ARGN " " properties)
    add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${output} VERBATIM
      COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DFOLDER=${folder} -DALONE=${alone}
              -DPROPERTIES=${properties} -DOUTPUT=${output} -P ${ECHOLUX_SUITES_SCRIPT})
    set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
    file(CONFIGURE OUTPUT ${include} @ONLY CONTENT [[
if(EXISTS "@output@")
  include("@output@")
else()
  add_test("@folder@/NOT_BUILT" "@target@_NOT_BUILT")
endif()
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
  endfunction()
  return()
endif()

execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${failed}")
endif()
string(REGEX REPLACE " *#[^\n]*" "" listed "${listed}") # values of parameters
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
set(text "")
get_filename_component(folder ${OUTPUT} DIRECTORY)
function(add name filter) # tests/run.sh counts what stands in results/
  string(REPLACE "/" "_" result ${FOLDER}_${name})
  string(APPEND text "add_test(\"${FOLDER}/${name}\" \"${PROGRAM}\" \"--gtest_filter=${filter}\" \"--gtest_output=xml:${folder}/results/${result}.xml\")\n"
    "set_tests_properties(\"${FOLDER}/${name}\" PROPERTIES ${PROPERTIES})\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.$")
    set(suite ${CMAKE_MATCH_1})
    set(alone OFF)
    if(ALONE AND suite MATCHES "${ALONE}")
      set(alone ON)
    else()
      add(${suite} ${suite}.*)
    endif()
  elseif(alone AND line MATCHES "^  ([^ ]+)$")
    add(${suite}.${CMAKE_MATCH_1} ${suite}.${CMAKE_MATCH_1})
  endif()
endforeach()
file(WRITE ${OUTPUT} "${text}")
