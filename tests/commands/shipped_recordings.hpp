// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that single shipped pipelines need, made once.
#pragma once

#include "tests/commands/golden.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <string>

namespace echolux::test {

constexpr const char* kIqImages = "IQ images";

/// Twelve images of the bundled cine as complex pixels; made once.
inline const std::string& recordedIqImages() {
    static const TemporaryFolder folder;
    static const std::string path = [] {
        std::string file = (folder / "images.uff").string();
        const auto made = runEcholux({"export", bundledCine(), "--output-of", "beamform",
                                      "--frames", "1:12", "--backend", "cpu", "-o", file});
        EXPECT_EQ(made.status, 0) << made.err;
        return file;
    }();
    return path;
}

constexpr const char* kInverted = "inverted pulses";

/// Four diverging waves, each sent as a pulse and as the inverted one; made once.
inline const std::string& recordedInverted() {
    static const TemporaryFolder folder;
    static const std::string path = [] {
        std::string file = (folder / "inverted.echolux.h5").string();
        const auto made = runEcholux({"simulate", "diverging", "--elements", "32", "--waves", "4",
                                      "--depth", "20", "--pulses", "inverted", "--harmonic", "0.2",
                                      "--frames", "2", "--backend", "cpu", "-o", file});
        EXPECT_EQ(made.status, 0) << made.err;
        return file;
    }();
    return path;
}

} // namespace echolux::test
