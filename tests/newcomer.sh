#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# newcomer.sh RELEASE [MIRROR]: tries the README's two commands as a newcomer on a fresh machine: in a bare system of
# that release (bookworm, trixie, ...), as an ordinary user with sudo, from a clone of the committed tree. Prints the
# time of packages, first picture and tests, by the clock and by the processors. Needs root and debootstrap;
# the default of MIRROR is the mirror that apt uses here. Logs and screenshot stay in build/newcomer/RELEASE.
set -euo pipefail
release=${1:?newcomer.sh RELEASE [MIRROR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "Run this as root: it installs a system in a folder." >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "Install debootstrap first." >&2; exit 2; }
mirror=${2:-$(apt-get indextargets --format '$(REPO_URI)' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')}

results=$root/build/newcomer/$release
mkdir -p "$results"
guest=$(mktemp -d)
chmod 755 "$guest"
trap 'rm -rf --one-file-system "$guest"' EXIT
TIMEFORMAT='%1R s by the clock, %1U + %1S s of processors'

# timed WHAT COMMAND...: prints the time of COMMAND; its output goes to a log.
timed() {
  local what=$1 status=0 log="$results/${1// /_}.log" spent
  shift
  { spent=$({ time "$@" >"$log" 2>&1; } 2>&1); } || status=$?
  echo "$what: $spent$([ $status = 0 ] || echo ", FAILED with $status, see $log")" | tee -a "$results/times.txt"
  return $status
}

# as_newcomer COMMAND: runs it in the guest. Its mounts and processes end with it.
as_newcomer() {
  unshare --mount --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/dev/shm"
    exec chroot "$1" su - newcomer -c "cd echolux && $2"' as_newcomer "$guest" "$1"
}

: >"$results/times.txt"
timed "bare system" debootstrap --variant=minbase --include=sudo,ca-certificates "$release" "$guest" "$mirror"
cp /etc/resolv.conf "$guest/etc/resolv.conf"
apt-config dump | grep -i '^Acquire::[a-z]*::Proxy' >"$guest/etc/apt/apt.conf.d/90proxy" || true
printf '#!/bin/sh\nexit 101\n' >"$guest/usr/sbin/policy-rc.d" # no services
chmod +x "$guest/usr/sbin/policy-rc.d"
chroot "$guest" useradd --create-home --shell /bin/bash newcomer
echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >"$guest/etc/sudoers.d/newcomer"
mkdir -p "$guest/dev/shm"
git clone --quiet "file://$root" "$guest/home/newcomer/echolux"
chroot "$guest" chown -R newcomer: /home/newcomer

# app/run.sh installs packages first; here they are installed before, so that their time is separate.
timed "packages" as_newcomer "app/setup/install.sh app"
timed "app run.sh, with 10 s of a window" as_newcomer "app/run.sh"
cp "$guest"/home/newcomer/echolux/echolux-{screenshot.png,stats.json} "$results"
timed "tests run.sh" as_newcomer "tests/run.sh" && status=0 || status=$?
tail -n 1 "$results/tests_run.sh.log" | tee -a "$results/times.txt"
exit $status
