#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""send_test.py ECHOLUX: a window is driven by `echolux send`, its session is recorded, and `echolux replay` repeats it."""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CINE = ROOT / "testdata/phantom_cine.echolux.h5"
PATIENCE = 120


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"{what} did not come")
        time.sleep(0.1)


def main(echolux):
    name = f"send-{os.getpid()}"
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder, "a.session")
        environment = {**os.environ, "XDG_CONFIG_HOME": folder, "XDG_RUNTIME_DIR": folder}  # the socket goes with it

        def send(*entries, **options):
            return subprocess.run([echolux, "send", name, *entries], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, **options)

        def seen():
            return session.read_text().count("image.values") if session.exists() else 0

        missing = send("view.theme.light")
        assert missing.returncode == 2 and f"start one with 'echolux view --listen {name}'" in missing.stdout, missing.stdout
        with subprocess.Popen([echolux, "view", CINE, "--backend", "cpu", "--listen", name, "--session", session],
                              env=environment, stderr=subprocess.DEVNULL) as window:
            try:
                wait_until(lambda: send("display.gamma 1").returncode == 0, "The window")
                done = send("parameters.beamform.f_number 1.25", "view.theme.light", "playback.frame 12")
                assert done.returncode == 0, done.stdout
                wait_until(lambda: seen() == 1, "The first image")
                typed = "echolux session 1\nparameters\n  beamform.f_number 2\n  log_compression.range_db 45\n"
                done = send("-", input=typed)
                assert done.returncode == 0, done.stdout
                wait_until(lambda: seen() == 2, "The second image")
                refused = send("parameters.beamform.f_number -1", "display.gamma 3")
                assert refused.returncode == 2 and "f-number" in refused.stdout, refused.stdout
            finally:
                window.terminate()
        done = subprocess.run([echolux, "replay", session], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(session.read_text(), done.stdout)
        assert done.returncode == 0 and "2 of 2 images are the same to the bit" in done.stdout
        assert "display.gamma 3" not in session.read_text()


if __name__ == "__main__":
    main(sys.argv[1])
