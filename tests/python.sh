#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# python.sh RELEASE BUILD [MIRROR]: runs the tests of the Python package under the Python and NumPy of another release
# (trixie, ...) in a bare system, with the program and the library of BUILD, a build of this system. So it takes minutes
# less than newcomer.sh, which compiles there. Libraries that the bare system lacks come from this one, so RELEASE is newer
# than this system. Needs root and debootstrap.
set -euo pipefail
release=${1:?python.sh RELEASE BUILD [MIRROR]} build=$(realpath "${2:?python.sh RELEASE BUILD [MIRROR]}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/app/setup/bare_system.sh"
mirror=${3:-$(usual_mirror)}

install_guest "$release" "$mirror" python3,python3-numpy,ca-certificates >/dev/null
in_guest env DEBIAN_FRONTEND=noninteractive bash -euc 'apt-get -q -y update
  apt-get -q -y install --no-install-recommends "libpython$(python3 -c "import sys; print(*sys.version_info[:2], sep=\".\")")"' >/dev/null
tar c -C "$root" tests/library tests/dataset/vectors/poses app/library/python resources testdata README.md | tar x -C "$guest/srv"
mkdir "$guest/opt/lib"
cp "$build/app/echolux" "$build/app/echolux-reader" "$build/app/libecholux.so.0" "$guest/opt"
ldd "$build/app/echolux" "$build/app/echolux-reader" "$build/app/libecholux.so.0" | awk '$3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
  [ -e "$guest/usr/lib/$(uname -m)-linux-gnu/$(basename "$library")" ] || cp -L "$library" "$guest/opt/lib"
done

in_guest bash -uc '
  export LD_LIBRARY_PATH=/opt/lib ECHOLUX_LIBRARY=/opt/libecholux.so.0 ECHOLUX_PROGRAM=/opt/echolux PYTHONDONTWRITEBYTECODE=1
  python3 --version
  failed=0
  for test in /srv/tests/library/python_{,recording_,build_,program_,notebook_,copy_,stage_}test.py; do
    echo "$(basename "$test")"
    python3 "$test" || failed=$((failed + 1))
  done
  echo "$failed files of tests failed"
  exit $((failed > 0))'
