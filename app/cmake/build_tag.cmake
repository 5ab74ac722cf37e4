# SPDX-License-Identifier: GPL-3.0-or-later
# Writes HEADER, which tells by which declarations a program or a plugin was compiled: VERSION and a hash of FILES, a file
# that lists the headers. It leaves HEADER alone where nothing has changed.
file(STRINGS ${FILES} headers)
set(hashes "")
foreach(header IN LISTS headers)
  file(SHA256 ${header} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT [[// SPDX-License-Identifier: GPL-3.0-or-later
// Generated: by which declarations a program or a plugin was compiled.
#pragma once
#define ECHOLUX_BUILD_TAG "@VERSION@-@hash@"
]])
