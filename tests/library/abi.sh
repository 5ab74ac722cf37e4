#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# abi.sh LIBRARY: compares echolux.h and the built libecholux with tests/library/abi/libecholux.abi, what the last release
# offered. Added functions pass; removed and changed ones fail. Then it tries itself on headers that it has changed.
# abi.sh write: writes that file anew, for a release. Both need abigail-tools; without them it exits with 77.
#
# The types come from the header alone: each declaration becomes an empty definition in a library of its own, so handles
# stay opaque. The compiler holds the sources of libecholux to the header.
set -euo pipefail
library=$(realpath "${1:?abi.sh LIBRARY, or abi.sh write}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$here/../../app/library released=$here/abi/libecholux.abi
command -v abidiff >/dev/null || { echo "Skipped: abidiff is missing; install abigail-tools."; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# offered HEADER LIBRARY: a library with the functions of HEADER. Functions take enumerations as int, so one more function
# for each holds its values.
offered() {
  sed -E '/^#define ECHOLUX_API/d' "$1" >echolux.h
  cc -E -P -DECHOLUX_API=ECHOLUX_API echolux.h | tr '\n' ' ' | sed -E 's/;/;\n/g' |
    sed -E 's/^ *ECHOLUX_API (.*);$/\1 { __builtin_trap(); }/
      s/^.*typedef enum \{.*\} (echolux_[a-z]+);$/&\nvoid \1_values(\1 value) { (void)value; }/' >offered.c
  cc -g -O0 -fPIC -shared -Wl,-soname,libecholux.so.0 -Wl,--version-script="$source/echolux.map" offered.c -o "$2"
}

# compatible LIBRARY: whether LIBRARY has all that the last release offered, unchanged.
compatible() { abidiff --no-added-syms "$released" "$1"; }

# functions LIBRARY: what it exports, with the version of each.
functions() { nm -D --defined-only "$1" | awk '$2 == "T" && $3 !~ /_values@/ { print $3 }' | sort; }

# after WHAT SCRIPT: the header, changed by a sed script; WHAT says how a released function or type then differs.
after() {
  sed -E "$2" "$source/echolux.h" >changed.h
  ! cmp -s changed.h "$source/echolux.h" || { echo "The header has no longer the line of: $1" >&2; exit 1; }
  offered changed.h changed.so
}
refused() { after "$@"; ! compatible changed.so >/dev/null || { echo "Not noticed: $1" >&2; exit 1; }; }
accepted() { after "$@"; compatible changed.so >difference || { cat difference; echo "Refused: $1" >&2; exit 1; }; }

offered "$source/echolux.h" header.so
if [ "$1" = write ]; then
  mkdir -p "$here/abi"
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names header.so >"$released"
  exit
fi
compatible header.so
lacking=$(comm -23 <(functions header.so) <(functions "$library"))
[ -z "$lacking" ] || { echo "The header declares, but the library lacks: $lacking" >&2; exit 1; }

refused "a function is gone" '/echolux_gpu_count\(/d'
refused "a parameter has another type" 's/(echolux_allow_plugin\()const char\*/\1int/'
refused "a result has another type" 's/int (echolux_gpu_count)/double \1/'
refused "a parameter more" 's/(echolux_version\()void/\1int more/'
refused "a status has another value" 's/(ECHOLUX_AGAIN =) 4/\1 5/'
accepted "a new function" 's/^(.*)echolux_gpu_count(\(.*)$/&\n\1echolux_gpu_memory\2/'
accepted "a new status" 's/(ECHOLUX_AGAIN = 4)/\1, ECHOLUX_LATE = 5/'
echo "libecholux offers what the last release offered."
