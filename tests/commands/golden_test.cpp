// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled recordings through the command line, on the CPU, against NumPy.
#include "tests/commands/golden.hpp"
#include "tests/commands/oct_golden.hpp"

#include <QImage>

namespace echolux {
namespace {

// NOTE: the worst pixels lie in the dark beside bright ones, where SciPy's periodic analytic signal
// and the stage's padded one differ.
TEST(Golden, BundledCineAgreesWithNumpy) {
    test::compareWithNumpy("linear_db", "cpu", {"--pipeline", "rf_sum"}, 0.05, 4.0);
}

TEST(Golden, DelayTableGivesTheSameImage) {
    test::compareWithNumpy("linear_db", "cpu",
                           {"--pipeline", "rf_sum", "--set", "beamform.delays=table"}, 0.05, 4.0);
}

TEST(Golden, SincInterpolationIsNearlyBandLimited) {
    test::compareWithNumpy("band_limited_db", "cpu",
                           {"--pipeline", "rf_sum", "--set", "beamform.interpolation=sinc"}, 0.4,
                           9.0);
}

TEST(Golden, DemodulatedPipelineShowsTheSameImage) {
    test::compareWithNumpy("band_limited_db", "cpu", test::kDemodulatedFinely, 0.6, 8.0);
}

TEST(Golden, AxesStandBesideTheArray) {
    const test::TemporaryFolder folder;
    const std::filesystem::path out = folder / "axes.npy";
    const auto run =
        test::runEcholux({"render", test::bundledCine(), "-o", out.string(), "--backend", "cpu",
                          "--output-of", "envelope", "--grid", "-4:4:9,10:20:11"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(test::npyValues(out).size(), 99U);
    std::ifstream axes(folder / "axes.json");
    const std::string text((std::istreambuf_iterator<char>(axes)), {});
    EXPECT_NE(text.find("\"depth\""), std::string::npos);
    EXPECT_NE(text.find("\"lateral\""), std::string::npos);
}

TEST(Golden, PicturesSayWhatTheirGreysMean) {
    const test::TemporaryFolder folder;
    const std::string out = folder / "levels.png";
    const auto text = [&](const char* recording) {
        const auto run = test::runEcholux(
            {"render", std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + recording + ".echolux.h5",
             "-o", out, "--backend", "cpu", "--force"});
        EXPECT_EQ(run.status, 0) << run.err;
        return QImage(QString::fromStdString(out)).text("Description").toStdString();
    };
    EXPECT_TRUE(text("retina_cine").ends_with(" dB re 1 code")) << text("retina_cine");
    EXPECT_EQ(text("phantom_cine"), "-60 to 0 dB re running maximum");
}

TEST(Golden, BundledRetinaAgreesWithNumpy) {
    test::compareBscanWithNumpy("dispersed_db", "cpu", {"--bypass", "dispersion"}, 0.02, 0.5);
    // The phase turns on the grid, after the kernel has spread each sample over some of its points:
    // the taper is undone for the depth that an echo moves to, not for the one that it came from.
    test::compareBscanWithNumpy("compensated_db", "cpu", {}, 0.25, 0.8);
}

} // namespace
} // namespace echolux
