#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh: which branches of app/dataset the tests of tests/dataset take. Prints the files, those with most untaken branches
# first, and the sum; build/coverage/text holds the sources with counts. Counts lie in mapped files, so that also reader processes
# give theirs, which may write nothing, and those that crash. Readers of plugins are left out: tests/plugins tests them. Needs
# clang 16 with llvm-cov and llvm-profdata (package llvm-16).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset coverage >/dev/null
cmake --build build/coverage --parallel "$(nproc)" --target tests_dataset echolux_reader
cd build/coverage
rm -f ./*.profraw
LLVM_PROFILE_FILE="$PWD/%m%c.profraw" tests/tests_dataset --gtest_brief=1 >tests.log 2>&1 || tail -n 20 tests.log >&2
llvm-profdata-16 merge -sparse ./*.profraw -o all.profdata
measured=(tests/tests_dataset -object app/echolux-reader -instr-profile all.profdata -ignore-filename-regex 'dataset/plugins/')
llvm-cov-16 show "${measured[@]}" -show-branches=count -output-dir text ../../app/dataset >/dev/null
llvm-cov-16 export "${measured[@]}" -summary-only ../../app/dataset | python3 -c '
import json, sys
counts = []
for file in json.load(sys.stdin)["data"][0]["files"]:
    branches = file["summary"]["branches"]
    counts.append((branches["count"] - branches["covered"], branches["count"], file["filename"].partition("app/dataset/")[2]))
for missing, count, name in sorted(counts, reverse=True):
    if missing: print(f"{missing:5} of {count:5} branches are not taken: {name}")
missing, count = sum(c[0] for c in counts), sum(c[1] for c in counts)
print(f"app/dataset: {100 * (count - missing) / count:.1f} % of {count} branches")'
