#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# newcomer.sh RELEASE [MIRROR]: tries the README's two commands as a newcomer on a fresh machine: in a bare system of
# that release (bookworm, trixie, ...), as an ordinary user with sudo, from a clone of the committed tree. Between them it
# installs what the first one built, and follows `echolux help plugins` there. Prints the time of packages, first picture,
# installation and tests, by the clock and by the processors. Needs root and debootstrap;
# the default of MIRROR is the mirror that apt uses here. Logs and screenshot stay in build/newcomer/RELEASE.
set -euo pipefail
release=${1:?newcomer.sh RELEASE [MIRROR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/app/setup/bare_system.sh"
mirror=${2:-$(usual_mirror)}

results=$root/build/newcomer/$release
mkdir -p "$results"
TIMEFORMAT='%1R s by the clock, %1U + %1S s of processors'

# timed WHAT COMMAND...: prints the time of COMMAND; its output goes to a log.
timed() {
  local what=$1 status=0 log="$results/${1// /_}.log" spent
  shift
  { spent=$({ time "$@" >"$log" 2>&1; } 2>&1); } || status=$?
  echo "$what: $spent$([ $status = 0 ] || echo ", FAILED with $status, see $log")" | tee -a "$results/times.txt"
  return $status
}

as_newcomer() { in_guest su - newcomer -c "cd echolux && $1"; }

: >"$results/times.txt"
timed "bare system" install_guest "$release" "$mirror" sudo,ca-certificates
chroot "$guest" useradd --create-home --shell /bin/bash newcomer
echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >"$guest/etc/sudoers.d/newcomer"
git clone --quiet "file://$root" "$guest/home/newcomer/echolux"
chroot "$guest" chown -R newcomer: /home/newcomer

# app/run.sh installs packages first; here they are installed before, so that their time is separate.
timed "packages" as_newcomer "app/setup/install.sh app"
timed "app run.sh, with 10 s of a window" as_newcomer "app/run.sh"
cp "$guest"/home/newcomer/echolux/echolux-{screenshot.png,stats.json} "$results"
# In the tree that app/run.sh alone has built.
timed "commands of the plugin page" as_newcomer "/usr/bin/python3 tests/commands/pages_test.py --plugins build/release"
timed "tests run.sh" as_newcomer "tests/run.sh" && status=0 || status=$?
tail -n 1 "$results/tests_run.sh.log" | tee -a "$results/times.txt"
exit $status
