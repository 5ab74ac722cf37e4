// SPDX-License-Identifier: GPL-3.0-or-later
// A small headerless recording and its sidecar, part by part.
#pragma once

#include "app/dataset/sidecar/sidecar.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <numbers>
#include <string>

namespace echolux::test {

inline constexpr double kDeg = std::numbers::pi / 180.0;

/// A sidecar for headerless int16 whose parts a test can replace.
struct Parts {
    std::string top = "sound_speed = 1500\n";
    std::string data = "dtype = \"<i2\"\nshape = [2, 3, 4]\n"
                       "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    std::string probe = "pitch = 0.3e-3\n";
    std::string signal = "sampling_frequency = 20e6\ncentre_frequency = 5e6\n";
    std::string transmit = "angles_deg = [-10, 10]\n";
    std::string text() const {
        return top + "[data]\n" + data + "[probe]\n" + probe + "[signal]\n" + signal +
               "[transmit]\n" + transmit;
    }
};

class SidecarTest : public testing::Test {
protected:
    SidecarTest() { writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(24))); }
    std::unique_ptr<Recording> open(const Parts& parts) {
        writeFile(m_folder / "data.raw.toml", parts.text());
        return openRecording(m_path);
    }
    std::string refusal(const Parts& parts) {
        writeFile(m_folder / "data.raw.toml", parts.text());
        return refusalOf(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.raw";
};

} // namespace echolux::test
