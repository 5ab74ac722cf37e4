// SPDX-License-Identifier: GPL-3.0-or-later
// What `echolux export` writes opens again as what it was: signals with their waves and clocks,
// images with their places.
#include "app/dataset/recording/recording.hpp"
#include "tests/commands/golden.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace echolux {
namespace {

/// Real samples of the first frame, or the real and imaginary parts in turn, as physical values.
std::vector<double> valuesOf(Recording& recording) {
    const FrameSpec& frame = recording.info().frame;
    std::vector<std::byte> bytes(frame.bytes());
    recording.readFrame(0, bytes);
    const auto of = [&](auto zero) {
        using T = decltype(zero);
        const std::span codes(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
        std::vector<double> values;
        for (const T code : codes)
            values.push_back((static_cast<double>(code) - frame.codeOffset) * frame.codeScale);
        return values;
    };
    switch (frame.dtype) {
    case DType::U8: return of(std::uint8_t{});
    case DType::U16: return of(std::uint16_t{});
    case DType::I16:
    case DType::ComplexI16: return of(std::int16_t{});
    default: return of(float{});
    }
}

double largest(const std::vector<double>& values) {
    double most = 0.0;
    for (const double value : values) most = std::max(most, std::abs(value));
    return most;
}

class RoundTrip : public testing::TestWithParam<const char*> {
protected:
    std::unique_ptr<Recording> exported(const std::string& recording,
                                        const std::vector<std::string>& more) {
        const std::string out = (m_folder / (std::string("out") + GetParam())).string();
        std::vector<std::string> words{"export", recording, "-o", out, "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = test::runEcholux(words);
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? openRecording(out) : nullptr;
    }

    test::TemporaryFolder m_folder;
};

using SignalRoundTrip = RoundTrip;

TEST_P(SignalRoundTrip, SamplesWavesAndClocksStay) {
    const auto original = openRecording(test::bundledCine());
    const auto copy =
        exported(test::bundledCine(), {"--output-of", "recording", "--frames", "1:2"});
    ASSERT_NE(copy, nullptr);
    const FrameSpec& was = original->info().frame;
    const FrameSpec& is = copy->info().frame;
    EXPECT_EQ(copy->info().frameCount, 2);
    ASSERT_EQ(is.axes.size(), was.axes.size());
    for (std::size_t i = 0; i < was.axes.size(); ++i) EXPECT_EQ(is.axes[i].size, was.axes[i].size);
    EXPECT_NEAR(is.samplingFrequencyHz(), was.samplingFrequencyHz(), 10.0);
    EXPECT_NEAR(is.centreFrequencyHz, was.centreFrequencyHz, 10.0);
    EXPECT_NEAR(is.acquisition->soundSpeedMps, was.acquisition->soundSpeedMps, 1e-3);
    ASSERT_EQ(is.acquisition->transmits.size(), was.acquisition->transmits.size());
    for (std::size_t i = 0; i < was.acquisition->transmits.size(); ++i) {
        EXPECT_EQ(is.acquisition->transmits[i].wave, was.acquisition->transmits[i].wave);
        EXPECT_NEAR(is.acquisition->transmits[i].angleRad, was.acquisition->transmits[i].angleRad,
                    1e-6);
        EXPECT_NEAR(is.acquisition->transmits[i].firstSampleS,
                    was.acquisition->transmits[i].firstSampleS, 1e-9);
    }
    for (std::size_t k = 0; k < was.acquisition->probe.elements.size(); ++k)
        EXPECT_NEAR(is.acquisition->probe.elements[k].x, was.acquisition->probe.elements[k].x,
                    1e-8);
    const std::vector<double> before = valuesOf(*original);
    const std::vector<double> after = valuesOf(*copy);
    ASSERT_EQ(after.size(), before.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
        worst = std::max(worst, std::abs(after[i] - before[i]));
    EXPECT_LT(worst, 1e-6 * largest(before));
}

INSTANTIATE_TEST_SUITE_P(Endings, SignalRoundTrip,
                         testing::Values(".npz", ".mat", ".hdf5", ".uff", ".echolux.h5"));

using ImageRoundTrip = RoundTrip;

TEST_P(ImageRoundTrip, ValuesAndPlacesStay) {
    const std::vector<std::string> grid{"--set",       "beamform.lateral_min=-8e-3",
                                        "--set",       "beamform.lateral_max=8e-3",
                                        "--set",       "beamform.depth_min=5e-3",
                                        "--set",       "beamform.depth_max=25e-3",
                                        "--set",       "beamform.pixel_lateral=4e-4",
                                        "--set",       "beamform.pixel_depth=2e-4",
                                        "--output-of", "envelope",
                                        "--frames",    "1"};
    const auto copy = exported(test::bundledCine(), grid);
    ASSERT_NE(copy, nullptr);
    const std::string plain = (m_folder / "plain.npy").string();
    std::vector<std::string> words{"export", test::bundledCine(), "-o", plain, "--backend", "cpu"};
    words.insert(words.end(), grid.begin(), grid.end());
    ASSERT_EQ(test::runEcholux(words).status, 0);
    const std::vector<float> before = test::npyValues(plain);
    const FrameSpec& frame = copy->info().frame;
    ASSERT_EQ(frame.axes.size(), 2U) << frame.describe();
    EXPECT_EQ(frame.axes[0].name, AxisName::Depth);
    EXPECT_EQ(frame.recordedForm, RecordedForm::Envelope);
    EXPECT_NEAR(frame.axes[0].origin, 5e-3, 1e-6);
    EXPECT_NEAR(frame.axes[0].spacing, 2e-4, 1e-8);
    EXPECT_NEAR(frame.axes[1].origin, -8e-3, 1e-6);
    EXPECT_NEAR(frame.axes[1].spacing, 4e-4, 1e-8);
    const std::vector<double> after = valuesOf(*copy);
    ASSERT_EQ(after.size(), before.size());
    const double most = largest(after);
    for (std::size_t i = 0; i < before.size(); ++i)
        ASSERT_NEAR(after[i], before[i], 1e-5 * most) << i;
    const auto picture = test::runEcholux({"render", copy->info().path.string(), "-o",
                                           (m_folder / "again.png").string(), "--backend", "cpu"});
    EXPECT_EQ(picture.status, 0) << picture.err;
}

INSTANTIATE_TEST_SUITE_P(Endings, ImageRoundTrip,
                         testing::Values(".npz", ".mat", ".hdf5", ".uff", ".nrrd", ".nii",
                                         ".nii.gz"));

} // namespace
} // namespace echolux
