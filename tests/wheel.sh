#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# wheel.sh RELEASE WHEEL [MIRROR]: installs a wheel of app/setup/wheel.sh in a bare system of that release (bookworm,
# trixie, ...), which has Python and NumPy but none of the libraries that Echolux uses. There it images the bundled
# recordings and runs the tests of the Python package. Needs root and debootstrap.
set -euo pipefail
release=${1:?wheel.sh RELEASE WHEEL [MIRROR]} wheel=${2:?wheel.sh RELEASE WHEEL [MIRROR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/app/setup/bare_system.sh"
mirror=${3:-$(usual_mirror)}

install_guest "$release" "$mirror" ca-certificates >/dev/null
in_guest env DEBIAN_FRONTEND=noninteractive bash -euc 'apt-get -q -y update; apt-get -q -y install --no-install-recommends python3-venv python3-numpy' >/dev/null
cp "$wheel" "$guest/"
mkdir "$guest/echolux"
tar c -C "$root" tests/library app/library/python resources testdata | tar x -C "$guest/echolux"
in_guest bash -euc '
  ! ldconfig -p | grep -E "lib(fftw3f|hdf5|tbb|dcmdata|matio)" || { echo "The bare system has libraries of Echolux." >&2; exit 1; }
  python3 -m venv --system-site-packages /venv
  /venv/bin/pip install -q --no-index --no-deps /echolux-*.whl
  cd /echolux
  LD_DEBUG=libs /venv/bin/python -c "import echolux" 2>&1 | grep -m 1 "calling init.*libecholux_gpu"
  /venv/bin/python - testdata/*.h5 <<END
import sys
import echolux
for path in sys.argv[1:]:
    recording = echolux.open(path)
    print(path, recording.format, echolux.Pipeline(None, recording).run(recording[0]).shape)
END
  ECHOLUX_LIBRARY=$(echo /venv/lib/python3*/site-packages/echolux/libecholux.so.0) /venv/bin/python tests/library/python_test.py'
