// SPDX-License-Identifier: GPL-3.0-or-later
// Renders a B-scan of the bundled retina through the command line and compares it with one by
// NumPy.
#pragma once

#include "tests/commands/golden.hpp"

namespace echolux::test {

inline std::string bundledRetina() {
    return std::string(ECHOLUX_SOURCE_DIR) + "/testdata/retina_cine.echolux.h5";
}

/// Frame and lines as in vectors/make_oct_golden.py. Compared are depths up to four fifths, where
/// gridding is exact, and pixels that lie well above the noise.
inline void expectBscan(const std::vector<float>& image, const std::string& reference,
                        double meanTolerableDb, double worstTolerableDb) {
    constexpr std::size_t kLines = 200;
    constexpr std::size_t kDepths = 256;
    constexpr std::size_t kFirstLine = 2;
    constexpr std::size_t kLineStep = 20;
    constexpr std::size_t kComparedDepths = 205;
    constexpr float kComparedAboveDb = 0.0F;
    ASSERT_EQ(image.size(), kDepths * kLines); // [depth][lateral]
    const std::vector<float> expected = Vectors("commands/vectors/oct_golden.txt")[reference];
    constexpr std::size_t kExpectedLines = kLines / kLineStep;
    ASSERT_EQ(expected.size(), kDepths * kExpectedLines);
    Deviation deviation;
    for (std::size_t z = 0; z < kComparedDepths; ++z) {
        for (std::size_t line = 0; line < kExpectedLines; ++line) {
            const float wanted = expected[z * kExpectedLines + line];
            if (wanted < kComparedAboveDb) continue;
            deviation.add(image[z * kLines + kFirstLine + line * kLineStep], wanted);
        }
    }
    deviation.expectWithin(meanTolerableDb, worstTolerableDb, 1000);
}

inline void compareBscanWithNumpy(const std::string& reference, const std::string& backend,
                                  const std::vector<std::string>& more, double meanTolerableDb,
                                  double worstTolerableDb) {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder / "bscan.npy";
    std::vector<std::string> arguments{"render",    bundledRetina(), "-o",      out.string(),
                                       "--backend", backend,         "--frame", "4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult run = runEcholux(arguments);
    ASSERT_EQ(run.status, 0) << run.err;
    expectBscan(npyValues(out), reference, meanTolerableDb, worstTolerableDb);
}

} // namespace echolux::test
