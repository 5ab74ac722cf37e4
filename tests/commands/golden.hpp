// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the bundled cine through the command line and compares it with an image by NumPy alone.
#pragma once

#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace echolux::test {

inline std::string bundledCine() { return ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5"; }

/// Baseband samples at the full rate, of the band that the band-pass lets through.
inline const std::vector<std::string> kDemodulatedFinely{"--pipeline", "demodulated",
                                                         "--set",      "iq_demod.decimation=1",
                                                         "--set",      "iq_demod.bandwidth=5e6"};

/// The float32 values of a version 1.0 .npy file.
inline std::vector<float> npyValues(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream whole;
    whole << file.rdbuf();
    const std::string bytes = whole.str();
    if (bytes.size() < 10) throw std::runtime_error(path.string() + " is no .npy file");
    const std::size_t start =
        10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    std::vector<float> values((bytes.size() - start) / sizeof(float));
    std::memcpy(values.data(), bytes.data() + start, values.size() * sizeof(float));
    return values;
}

/// How far an image is from a reference, over the pixels that are compared.
class Deviation {
public:
    void add(double got, double wanted) {
        const double difference = std::abs(got - wanted);
        m_sum += difference;
        m_worst = std::max(m_worst, difference);
        ++m_count;
    }
    void expectWithin(double meanDb, double worstDb, std::size_t leastPixels) const {
        EXPECT_GT(m_count, leastPixels);
        EXPECT_LT(m_sum / static_cast<double>(m_count), meanDb);
        EXPECT_LT(m_worst, worstDb);
    }

private:
    double m_sum = 0.0;
    double m_worst = 0.0;
    std::size_t m_count = 0;
};

/// Grid and rows as in vectors/make_golden.py.
inline void expectImage(const std::vector<float>& image, const std::string& reference,
                        double meanTolerableDb, double worstTolerableDb) {
    constexpr std::size_t kColumns = 41;
    constexpr std::size_t kFirstRow = 20;
    constexpr std::size_t kRowStep = 12;
    constexpr float kComparedAboveDb = -35.0F; // below it, noise and rounding decide
    ASSERT_EQ(image.size(), kColumns * 1201);
    const std::vector<float> expected = Vectors("commands/vectors/golden.txt")[reference];

    Deviation deviation;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] < kComparedAboveDb) continue;
        const std::size_t row = kFirstRow + i / kColumns * kRowStep;
        deviation.add(image[row * kColumns + i % kColumns], expected[i]);
    }
    deviation.expectWithin(meanTolerableDb, worstTolerableDb, 2000);
}

inline void compareWithNumpy(const std::string& reference, const std::string& backend,
                             const std::vector<std::string>& more, double meanTolerableDb,
                             double worstTolerableDb) {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder / "image.npy";
    std::vector<std::string> arguments{"render",    bundledCine(),
                                       "-o",        out.string(),
                                       "--backend", backend,
                                       "--grid",    "-8:8:41,4:34:1201",
                                       "--set",     "log_compression.range_db=120"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult run = runEcholux(arguments);
    ASSERT_EQ(run.status, 0) << run.err;
    expectImage(npyValues(out), reference, meanTolerableDb, worstTolerableDb);
}

} // namespace echolux::test
