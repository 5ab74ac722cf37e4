// SPDX-License-Identifier: GPL-3.0-or-later
// Renders envelopes through the command line and compares them with summed analytic signals by
// NumPy and SciPy alone: vectors/make_analytic_golden.py.
#pragma once

#include "tests/commands/golden.hpp"

namespace echolux::test {

struct EnvelopeCase {
    std::string name; ///< of the vectors
    std::string file; ///< in the shared data; empty: the bundled cine
    std::string grid; ///< as in the script
    std::string fNumber = "1.4";
    std::vector<std::string> more = {};
};

/// Rows of nearly a wavelength, of a quarter of one, and fine ones; other recordings coarsely.
inline std::vector<EnvelopeCase> envelopeCases() {
    return {{"cine_coarse", "", "-8:8:23,4:34:101"},
            {"cine_live", "", "-4:4:9,8:24:209"},
            {"cine_fine", "", "-7.21:-6.81:5,11.003:13.003:201"},
            {"gammex", "gammex_plane_waves.mat", "-15:15:21,10:90:41"},
            {"field2", "field2_three_angles.hdf5", "-12:12:17,8:60:53"},
            {"notch", "contact_notch_aluminium.mat", "-9:9:19,10:45:36", "0"},
            {"disk",
             "rotating_disk.mat",
             "-11:11:23,12:38:27",
             "1.0",
             {"--pipeline", "rf"}}}; // band-pass sampled
}

/// Expects the greatest difference, each image over its own peak, to be within `tolerable`. `kind`:
/// how the reference interpolates, linear or ideal.
inline void compareEnvelope(const EnvelopeCase& at, const std::string& kind,
                            const std::string& backend, const std::vector<std::string>& more,
                            double tolerable) {
    const std::filesystem::path shared = std::string(ECHOLUX_SHARED_DATA) + "/data/us";
    const std::filesystem::path file =
        at.file.empty() ? std::filesystem::path(bundledCine()) : shared / at.file;
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
    const TemporaryFolder folder;
    const std::filesystem::path out = folder / "envelope.npy";
    std::vector<std::string> arguments{
        "render",      file.string(), "-o",    "",      "--backend",
        backend,       "--grid",      at.grid, "--set", "beamform.f_number=" + at.fNumber,
        "--output-of", "envelope"};
    arguments[3] = out.string();
    arguments.insert(arguments.end(), at.more.begin(), at.more.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult run = runEcholux(arguments);
    ASSERT_EQ(run.status, 0) << run.err;
    const std::vector<float> image = npyValues(out);
    const std::vector<float> expected =
        Vectors("commands/vectors/analytic_golden.txt")[at.name + "_" + kind];
    ASSERT_EQ(image.size(), expected.size());
    const double peak = *std::ranges::max_element(image);
    const double expectedPeak = *std::ranges::max_element(expected);
    ASSERT_GT(peak, 0.0);
    double worst = 0.0;
    for (std::size_t i = 0; i < image.size(); ++i)
        worst = std::max(worst, std::abs(image[i] / peak - expected[i] / expectedPeak));
    EXPECT_LT(worst, tolerable) << at.name;
}

} // namespace echolux::test
