// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/fuzz/attempt.hpp"

namespace echolux::fuzz {

void calibration(Bytes bytes) {
    if (holdsHdf5(bytes)) return;
    readHere();
    static const auto spectra =
        openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");
    const auto file = asFile("calibration", bytes);
    attempt([&] { spectra->calibrate(file); });
}

} // namespace echolux::fuzz
