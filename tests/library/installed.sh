#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# installed.sh BUILD RECORDING: installs a build into a folder of its own and looks at what the desktop and shells find
# there. Then it allows the example plugin and runs its pipeline; `pages_test.py --plugins` builds it as `echolux help
# plugins` says. It builds and tests the examples with a reader and with a view. Last it builds and runs the clients of
# libecholux.
set -euo pipefail
build=$1 recording=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
export XDG_CONFIG_HOME=$prefix/settings LD_LIBRARY_PATH=$prefix/usr/lib
DESTDIR='' cmake --install "$build" --prefix "$prefix/usr" >/dev/null
lib=$(find "$prefix/usr" -name 'libecholux.so.0' -printf '%h\n')
export LD_LIBRARY_PATH=$lib PATH=$prefix/usr/bin:$PATH

# What a desktop and a shell look for.
share=$prefix/usr/share
[ "$(find "$share/man/man1" -name 'echolux*.1.gz' | wc -l)" -gt 15 ]
for file in applications/org.echolux.Echolux.desktop metainfo/org.echolux.Echolux.metainfo.xml \
  icons/hicolor/scalable/apps/org.echolux.Echolux.svg echolux/recordings/phantom_cine.echolux.h5; do
  [ -s "$share/$file" ]
done
(source "$share/bash-completion/completions/echolux" && complete -p echolux >/dev/null)
! command -v desktop-file-validate >/dev/null || desktop-file-validate "$share"/applications/*.desktop
! command -v appstreamcli >/dev/null || appstreamcli validate --no-net "$share"/metainfo/*.xml
! command -v update-mime-database >/dev/null || update-mime-database "$share/mime"

cp -r "$prefix/usr/share/echolux/plugins/lee_filter" "$prefix/lee_filter"
cd "$prefix/lee_filter"
mkdir build
cp "$(find "$build" -name lee_filter.so | head -n 1)" build
run() { echolux run lee_filter.toml "$recording" --frames 2 --backend cpu --write "$1=$1.npy"; }
if run filtered 2>refusal; then
  echo "A plugin ran that nobody had allowed." >&2
  exit 1
fi
grep -q 'echolux plugins allow' refusal
echolux plugins allow build/lee_filter.so
run filtered
run unfiltered
! cmp -s filtered.npy unfiltered.npy

for example in sonix_rf level_profile; do
  cp -r "$prefix/usr/share/echolux/plugins/$example" "$prefix/$example"
  cd "$prefix/$example"
  cmake -B build -DCMAKE_PREFIX_PATH="$prefix/usr" >/dev/null
  cmake --build build
  ctest --test-dir build --output-on-failure
done

cd "$prefix/usr/share/echolux/examples"
cc -std=c99 -I"$prefix/usr/include" first_image.c -L"$lib" -lecholux -o "$prefix/in_c"
"$prefix/in_c" "$recording"
c++ -std=c++17 -I"$prefix/usr/include" first_image.cpp -L"$lib" -lecholux -o "$prefix/in_cpp"
"$prefix/in_cpp" "$recording" "$prefix/image.pgm"
[ -s "$prefix/image.pgm" ]
/usr/bin/python3 first_image.py "$recording" "$prefix/image.npy"

# Live frames of the examples, in C and Python.
cc -std=gnu11 -Wall -Wextra -Werror -I"$prefix/usr/include" live_frames.c -o "$prefix/live_in_c"
for scanner in "$prefix/live_in_c" "/usr/bin/python3 live_frames.py"; do
  $scanner 60 &
  echolux record shared:example -o "$prefix/live.echolux.h5" --frames 5 --force --backend cpu
  kill %%
  wait
  rm -f /dev/shm/echolux-example # the writer was killed
  echolux info "$prefix/live.echolux.h5" | grep -q 'Frames *5$'
done
