// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the calibration of the bundled spectra.
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/fuzz/fuzzed_file.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    static const fuzz::FuzzedFile file("calibration");
    readHere();
    static const auto spectra =
        openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");
    file.write(data, size);
    try {
        spectra->calibrate(file.path());
    } catch (const Error&) { // a sentence
    }
    return 0;
}
