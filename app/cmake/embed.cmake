# SPDX-License-Identifier: GPL-3.0-or-later
# Script mode: writes the contents of FILES as string literals into SOURCE and their declaration into HEADER.
file(WRITE ${HEADER}.new "// Generated from resources: do not edit.
#pragma once
#include \"gpu/core/embedded_file.hpp\"
#include <span>
namespace echolux {
std::span<const EmbeddedFile> ${NAME}();
}
")
set(text "// Generated from resources: do not edit.
#include \"embedded/${NAME}.hpp\"
#include <array>
namespace echolux {
std::span<const EmbeddedFile> ${NAME}() {
    static constexpr std::array kFiles{
")
foreach(path IN LISTS FILES)
  get_filename_component(file ${path} NAME)
  file(READ ${path} content)
  # Compilers limit the length of one literal, so a long file becomes several literals.
  string(LENGTH "${content}" length)
  set(literals "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 8000 piece)
    string(APPEND literals "R\"ECHOLUX(${piece})ECHOLUX\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  if(literals STREQUAL "")
    set(literals "\"\"")
  endif()
  string(APPEND text "        EmbeddedFile{\"${file}\", ${literals}},\n")
endforeach()
string(APPEND text "    };
    return kFiles;
}
} // namespace echolux
")
file(WRITE ${SOURCE}.new "${text}")
file(COPY_FILE ${HEADER}.new ${HEADER} ONLY_IF_DIFFERENT)
file(COPY_FILE ${SOURCE}.new ${SOURCE})
