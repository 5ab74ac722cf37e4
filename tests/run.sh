#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [--all | --asan | --tsan | --tidy | --alone]: installs what is missing, builds in the folder of app/run.sh, and
# runs the tests on a virtual display, but those that take minutes. --all runs these, too. It also checks layout and
# documentation of the source, takes warnings as errors, runs the unit tests of the session under ThreadSanitizer, runs
# clang-tidy over the libraries that all others depend on, and fuzzes the parsers, where clang 16 is installed. The unit
# tests run once then, under AddressSanitizer and UBSan; those of gpu/ also at full optimisation. What computes for minutes,
# sanitizers, clang-tidy and fuzzers take what has changed since the commit in .ci/checked, or in ECHOLUX_SINCE: it passed
# with all of them. --asan and --tsan run that sanitizer alone, over everything; --tidy runs clang-tidy over every .cpp file;
# --alone compiles each file by itself. At the end the output of failed tests is printed again; the last line sums up. A
# step that fails or cannot run counts as a failed test.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 2
exec </dev/null

steps=(quick) packages=tests strict=OFF units=ON
case ${*:-plain} in
  plain) ;;
  --all) steps=(layout quick asan tsan habits fuzz) packages=all strict=ON units=OFF ;;
  --asan | --tsan | --alone) steps=("${1#--}") ;;
  --tidy) steps=(all_habits) packages=all ;;
  *) sed -n '3,11s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

. app/setup/virtual_display.sh
total=0 bad=0 current=starting unchecked='' failures='' scratch=$(mktemp -d)

say() { printf '[%2d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# The last line sums up, however this script ends.
sum_up() {
  local verdict=100
  rm -rf "$scratch"
  if [ -n "$current" ] && [ $bad = 0 ]; then
    say "Ended during: $current"
    total=$((total + 1)) bad=1
  fi
  [ -z "$unchecked" ] || say "Not checked:${unchecked%;}"
  [ -z "$failures" ] || printf '\nFailed:\n%s' "$failures"
  [ $bad = 0 ] || verdict=$((100 * (total - bad) / total))
  echo "$verdict% tests passed, $bad tests failed out of $total"
  [ $bad = 0 ] || exit 1
}
trap sum_up EXIT
trap 'exit 1' INT TERM HUP

# step WHAT COMMAND...: runs COMMAND; a failure counts as a failed test.
step() {
  current=$1
  say "$1"
  "${@:2}" || { total=$((total + 1)) bad=$((bad + 1)) failures+=$1$'\n'; say "Failed: $1"; return 1; }
}

# check WHAT COMMAND...: a step that counts as a test, also when it passes.
check() { step "$@" && total=$((total + 1)); }

# If the home folder cannot be written, tools and tests get a temporary one for this run.
settle() {
  if ! [ -d "${HOME:-}" ] || ! [ -w "$HOME" ]; then
    export HOME=$scratch/home
    mkdir "$HOME"
  fi
  if ! [ -w "${XDG_RUNTIME_DIR:-/nonexistent}" ]; then
    export XDG_RUNTIME_DIR=$scratch/runtime
    mkdir -m 700 "$XDG_RUNTIME_DIR"
  fi
  export LC_ALL=C.UTF-8 # the output of tools is parsed below
  export NO_AT_BRIDGE=1 # otherwise a session bus would be started for the tests
  unset MAKEFLAGS CTEST_PARALLEL_LEVEL
}

# As many jobs as the granted processors (a container may see more than it gets) and the memory allow.
granted_jobs() {
  local jobs quota period memory
  jobs=$(nproc)
  if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [ "$quota" != max ]; then
    quota=$(((quota + period - 1) / period))
    [ "$quota" -ge "$jobs" ] || jobs=$quota
  fi
  memory=$(awk '/^MemAvailable/ { print int($2 / 2e6) }' /proc/meminfo)
  [ "${memory:-$jobs}" -ge "$jobs" ] || jobs=$memory
  echo $((jobs > 0 ? jobs : 1))
}

# checker NAME VERSION: the command of exactly that version, because versions report different findings.
checker() {
  local tool
  for tool in "$1-$2" "$1"; do
    "$tool" --version 2>/dev/null | grep -q "version $2\." && { echo "$tool"; return; }
  done
  return 1
}

# cannot NAME VERSION: another version is reported at the end; a missing tool is a failure.
cannot() {
  unchecked+=" what $1 $2 finds (here: $("$1" --version 2>/dev/null | grep version || echo none));"
  command -v "$1" >/dev/null
}

check_layout() {
  local tool
  tool=$(checker clang-format 14) || { cannot clang-format 14; return; }
  find app gpu render tests ui -type f -regex '.*\.\(cpp\|hpp\|cu\|cuh\)' -print0 |
    xargs -0 -n 32 -P "$jobs" "$tool" --dry-run -Werror
}

# check_habits FOLDER...: runs clang-tidy over the .cpp files below FOLDER, each by itself.
check_habits() {
  local tool
  tool=$(checker clang-tidy 14) || { cannot clang-tidy 14; return; }
  configure alone && embed_files alone && for_clang alone &&
    find "$@" -name '*.cpp' -print0 | xargs -0 -n 1 -P "$jobs" "$tool" -p "$scratch" --quiet 2>"$scratch/tidy.log"
}

# check_united FOLDER...: runs clang-tidy over what lies below FOLDER, several files at once as asan compiles them. That
# takes a fifth of the time, because most of it goes into the headers.
check_united() {
  local tool folders
  folders=$(IFS='|'; echo "$*")
  tool=$(checker clang-tidy 14) || { cannot clang-tidy 14; return; }
  configure asan && embed_files asan && for_clang asan &&
    grep -lE "/($folders)/" build/asan/*/CMakeFiles/echolux_*.dir/Unity/*.cxx |
    xargs -r -d '\n' -n 1 -P "$jobs" "$tool" -p "$scratch" --quiet --checks=-bugprone-suspicious-include \
      --header-filter="/($folders)/.*\.[ch]pp\$" 2>"$scratch/tidy.log"
}

# for_clang PRESET: the commands of the build without GCC's precompiled headers and warnings, which clang does not know.
for_clang() {
  sed -E 's/ -Winvalid-pch -include [^ ]+//; s/ -Wno-error=[^ ]+//g; s/ --param=ggc[^ ]+//g' "build/$1/compile_commands.json" >"$scratch/compile_commands.json"
}

# check_alone: compiles each file of the libraries by itself, without making code, and reads the common headers once.
check_alone() {
  local log=$scratch/alone
  configure alone && embed_files alone && ninja -C build/alone -t commands >"$log" &&
    grep -E 'cmake_pch\.hxx\.gch -c ' "$log" | grep -v 'tests/' | in_build alone &&
    grep -E '(app|gpu|render|ui)/CMakeFiles/.*\.o -c ' "$log" | grep -v -- '-c [^ ]*_autogen/' |
    sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+ -o [^ ]+ / -fsyntax-only /' | in_build alone
}

# check_fuzz: fuzzes the parsers that changed; ten minutes at most, with the build. Where that is too short, the next run
# goes on with what was built.
check_fuzz() {
  local ended=0
  command -v clang++-16 >/dev/null || { unchecked+=" what fuzzers find (no clang++-16);"; return; }
  timeout 600 tests/fuzz.sh --changed "$checked" >"$scratch/fuzz.log" 2>&1 || ended=$?
  [ $ended != 124 ] || { unchecked+=" all that fuzzers find (their build takes longer than 10 minutes);"; return; }
  [ $ended = 0 ] || { tail -n 40 "$scratch/fuzz.log"; return 1; }
}

# under_asan PROGRAMS...: builds and runs these programs of unit tests; unit_tests stands for all.
under_asan() {
  local targets=("$@") labels='^(unit|c)$'
  case " $* " in
    *' unit_tests '*) ;;
    *' tests_library '*) targets+=(flat_calls level_profile_check level_profile) ;;
    *) labels='^unit$' ;;
  esac
  step "Building asan" build asan "${targets[@]}" && run_ctest asan --label-regex "$labels"
}

# has_changed PLACES...: true where it is not sure that nothing below them has changed.
has_changed() { ! git diff --quiet "$checked" -- "$@" 2>/dev/null; }

# embed_files PRESET: of the whole build, makes the sources that hold embedded files.
embed_files() { ninja -C "build/$1" -t commands | grep -F /embed.cmake | in_build "$1"; }

# in_build PRESET: runs each line of the input as a command in the build folder.
in_build() { (cd "build/$1" && xargs -r -d '\n' -n 1 -P "$jobs" sh -c); }

# configure PRESET: starts from scratch if the build folder was configured for another source folder.
configure() {
  local cache=build/$1/CMakeCache.txt
  if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then rm -rf "build/$1"; fi
  { [ -f "build/$1/build.ninja" ] && grep -qx 'ECHOLUX_TESTS:BOOL=ON' "$cache"; } || cmake --preset "$1" -DECHOLUX_TESTS=ON
}

# build PRESET [TARGET...]: --all takes warnings as errors in the first build, too, which then leaves out unit tests.
build() {
  local targets=("${@:2}")
  configure "$1" && { [ "$1" != release ] || cmake -DECHOLUX_WERROR=$strict -DECHOLUX_UNIT_TESTS=$units "build/$1"; } &&
    plain_addresses cmake --build "build/$1" --parallel "$jobs" --target "${targets[@]:-all}"
}

# Sanitizers need free addresses for their shadow memory; wide randomisation of addresses (32 bits) may occupy them.
plain_addresses() {
  if setarch -R true 2>/dev/null; then setarch -R "$@"; else "$@"; fi
}

# run_ctest PRESET [CTEST OPTIONS]: adds to total and bad; if ctest itself crashes, that counts as one bad test. A suite that
# fails is one bad test, its others count singly.
run_ctest() {
  local log=build/$1/ctest.log results=build/$1/tests/results seen singly suites skipped
  current="Testing $1"
  say "$current"
  # What sanitizers find in the reader process would be no more than a sentence. Its limit of memory is off under them, and a
  # hostile file would take all.
  [ "$1" = release ] || export ECHOLUX_READ_INSIDE=1 ASAN_OPTIONS=hard_rss_limit_mb=6000
  rm -rf "$results" && mkdir -p "$results"
  on_virtual_display beside_another plain_addresses ctest --preset "$1" --parallel "$jobs" "${@:2}" 2>&1 | tee "$log"
  suites=$(find "$results" -name '*.xml' | wc -l)
  singly=$(cat "$results"/*.xml 2>/dev/null | grep -c '<testcase ')
  skipped=$(cat "$results"/*.xml 2>/dev/null | grep -c 'result="skipped"')
  say "$singly tests of $suites suites, $skipped skipped"
  total=$((total + $(number '.*tests failed out of ([0-9]+)' "$log") - suites + singly))
  bad=$((bad + $(number '.*tests passed, ([0-9]+) tests failed.*' "$log")))
  seen=$(failed_tests "$log")
  [ -z "$seen" ] || failures+=$seen$'\n'
}

# beside_another COMMAND...: runs COMMAND on a second virtual display; tests of widgets use the first one.
beside_another() { ECHOLUX_SECOND_DISPLAY=$DISPLAY on_virtual_display "$@"; }

# failed_tests LOG: the lines of ctest about each failed test, with the end of the test's output.
failed_tests() {
  awk -v most=60 '
    function flush(  i) { for (i = n > most ? n - most : 0; i < n; i++) print line[i]; n = 0 }
    /^ *[0-9]+\/[0-9]+ +Test +#/ { flush(); failed = /\*\*\*/ && !/\*\*\*Skipped/; if (failed) print; next }
    /^ +Start +[0-9]+: / || /% tests passed, / { flush(); failed = 0 }
    failed { line[n++] = $0 }
    END { flush() }' "$1"
}

number() { sed -nE "s/$1/\1/p" "$2" | tail -n 1 | grep . || echo 1; }

settle
step "Installing what is missing" app/setup/install.sh "$packages" || exit 1
jobs=$(granted_jobs)
cache=$(ccache --get-config cache_dir 2>/dev/null) && mkdir -p "$cache" && [ -w "$cache" ] || export CCACHE_DISABLE=1

checked=${ECHOLUX_SINCE:-$(cat .ci/checked)}
reached=unit_tests
if [ ${#steps[@]} -gt 1 ]; then
  reached=$(tests/reached.py "$checked") || reached=unit_tests
  # shellcheck disable=SC2086 # names are words
  say "What changed since $checked reaches" ${reached:-no unit tests}
fi

# What --all has no time for is said at the end: CI stops after 90 minutes, and its machine may be slow.
declare -A minutes=([tsan]=12 [habits]=6 [fuzz]=11)

for name in "${steps[@]}"; do
  if [ ${#steps[@]} -gt 1 ] && [ $((SECONDS / 60 + ${minutes[$name]:-0})) -gt 88 ]; then
    unchecked+=" $name (no time was left);"
    continue
  fi
  case $name in
    layout) check "Layout of the source" check_layout; check "Pages of the public headers" doxygen app/setup/Doxyfile ;;
    quick)
      left_out='^(long|slow)$'
      if [ ${#steps[@]} -gt 1 ]; then
        left_out='^$'
        has_changed gpu app/{calibration,measure,pipeline,session,source} tests/{calibration,session}/long || left_out='^long$'
      else
        unchecked+=" what takes minutes (--all has it);"
      fi
      step "Building" build release && run_ctest release --label-exclude "$left_out"
      ;;
    alone) check "Each file by itself" check_alone ;;
    habits)
      places=(gpu/{core,memory,stage} app/{pipeline,session})
      ! has_changed "${places[@]}" .clang-tidy || check "Habits of the source, in part" check_united "${places[@]}"
      ;;
    fuzz) check "Fuzzing what has changed" check_fuzz ;;
    all_habits) check "Habits of the source" check_habits app gpu render tests ui ;;
    asan)
      # shellcheck disable=SC2086 # names are words
      [ -z "$reached" ] || under_asan $reached
      ;;
    tsan)
      ! [[ " $reached " =~ [[:space:]](unit_tests|tests_(pipeline|session|live))[[:space:]] ]] ||
        { step "Building tsan" build tsan tests_session && run_ctest tsan --label-regex '^unit$'; }
      ;;
  esac
done
current=
