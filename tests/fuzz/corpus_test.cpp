// SPDX-License-Identifier: GPL-3.0-or-later
// Every file of tests/fuzz/corpus through its target, without libFuzzer. tests/fuzz.sh finds such
// files.
#include "tests/fuzz/targets.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace echolux::fuzz {
namespace {

TEST(Corpus, EveryFileIsReadOrRefusedWithASentence) {
    const std::map<std::string, void (*)(Bytes)> targets{
        {"answer", answer},       {"array", array},     {"calibration", calibration},
        {"described", described}, {"device", device},   {"measurements", measurements},
        {"message", message},     {"octproz", octproz}, {"pipeline", pipeline},
        {"recording", recording}, {"shared", shared}};
    for (const auto& [name, target] : targets) {
        const std::filesystem::path folder =
            std::filesystem::path(ECHOLUX_SOURCE_DIR "/tests/fuzz/corpus") / name;
        ASSERT_TRUE(std::filesystem::is_directory(folder)) << name;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            SCOPED_TRACE(entry.path().string());
            std::ifstream in(entry.path(), std::ios::binary);
            const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
            EXPECT_NO_THROW(target(bytes)) << "it must refuse with an Error";
        }
    }
}

} // namespace
} // namespace echolux::fuzz
