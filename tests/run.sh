#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [--quick] [--asan] [--tsan]: installs what is missing, builds, and runs every test on a virtual
# display, then the unit tests under AddressSanitizer and UBSan, then the check of the source's layout.
# --quick leaves the sanitizers out; --asan and --tsan run that sanitizer alone. The last line sums up.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

full=1 asan=1 tsan=0
for option in "$@"; do
  case $option in
    --quick) asan=0 ;;
    --asan) full=0 ;;
    --tsan) full=0 asan=0 tsan=1 ;;
    *) sed -n '3,5s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
done

app/setup/install.sh tests
. app/setup/virtual_display.sh
jobs=$(nproc)
total=0 bad=0

# build PRESET [TARGET]
build() {
  [ -f "build/$1/build.ninja" ] || cmake --preset "$1"
  cmake --build "build/$1" --parallel "$jobs" --target "${2:-all}"
}

number() { sed -nE "s/$1/\1/p" "$2" | tail -n 1 | grep . || echo 1; }

# run_ctest PRESET [CTEST OPTIONS]: adds to total and bad; a ctest that dies counts as one bad test.
run_ctest() {
  local log=build/$1/ctest.log
  on_virtual_display ctest --preset "$1" --parallel "$jobs" "${@:2}" 2>&1 | tee "$log" || true
  total=$((total + $(number '.*tests failed out of ([0-9]+)' "$log")))
  bad=$((bad + $(number '.*tests passed, ([0-9]+) tests failed.*' "$log")))
}

check_layout() {
  local version=14 # layouts differ between versions
  if ! clang-format --version 2>/dev/null | grep -q "version $version\."; then
    echo "Layout of the source: not checked, for want of clang-format $version."
    return
  fi
  echo "Layout of the source (clang-format $version)"
  total=$((total + 1))
  git ls-files -z -- '*.cpp' '*.hpp' '*.cu' '*.cuh' |
    xargs -0 clang-format --dry-run -Werror || bad=$((bad + 1))
}

if [ $full = 1 ]; then
  check_layout
  build dev
  run_ctest dev
fi
for sanitizer in asan tsan; do
  [ "${!sanitizer}" = 1 ] || continue
  build $sanitizer unit_tests
  run_ctest $sanitizer --label-regex '^unit$'
done

[ $bad = 0 ] || verdict=$((100 * (total - bad) / total))
echo "${verdict:-100}% tests passed, $bad tests failed out of $total"
[ $bad = 0 ]
