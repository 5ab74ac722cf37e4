// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of `echolux simulate`: a folder to write to, and the bytes of what was written.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux::test {

class SimulateTest : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    TemporaryFolder m_folder;
};

inline std::vector<std::byte> frameOf(Recording& recording, std::int64_t index) {
    std::vector<std::byte> bytes(recording.info().frame.bytes());
    recording.readFrame(index, bytes);
    return bytes;
}

} // namespace echolux::test
