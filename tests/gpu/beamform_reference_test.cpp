// SPDX-License-Identifier: GPL-3.0-or-later
// beamform on the CPU against delay and sum written in NumPy in double precision, on random
// samples; apodization windows against SciPy.
#include "tests/gpu/beamform_reference.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

ParamValue word(const char* text) { return std::string(text); }

struct ReferenceCase {
    std::string vector;
    Settings settings = {};
    bool weighted = false;
};

void PrintTo(const ReferenceCase& c, std::ostream* out) { *out << c.vector; }

class BeamformReference : public testing::TestWithParam<ReferenceCase> {};

HostFrame referenceFrame(bool iq, bool weighted) {
    Scan scan = referenceScan();
    if (weighted) scan.receiveWeights = reference()["weights"];
    return referenceFrame(scan, iq);
}

Settings onReferenceGrid(const Settings& more) {
    return with({{"lateral_min", -1.3e-3},
                 {"lateral_max", 1.1e-3},
                 {"depth_min", 1e-3},
                 {"depth_max", 1e-3 + 18 * 0.37e-3},
                 {"pixel_lateral", 0.2e-3},
                 {"pixel_depth", 0.37e-3},
                 {"f_number", 1.037},
                 {"tukey_alpha", 0.4}},
                more);
}

TEST_P(BeamformReference, AgreesWithNumPy) {
    const ReferenceCase& c = GetParam();
    const HostFrame frame = referenceFrame(c.vector.starts_with("iq"), c.weighted);
    const HostFrame image = runStage("beamform", frame, onReferenceGrid(c.settings));
    // Single precision knows an index of 160 to about 1e-5; random samples differ by up to 200.
    expectNear(image.as<float>(), reference()[c.vector], 5e-5);
}

Settings lagrangeOf(std::int64_t order) {
    return {{"interpolation", word("lagrange")}, {"lagrange_order", order}};
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, BeamformReference,
    testing::Values(
        ReferenceCase{"linear"}, ReferenceCase{"nearest", {{"interpolation", word("nearest")}}},
        ReferenceCase{"lagrange_1", lagrangeOf(1)}, ReferenceCase{"lagrange_2", lagrangeOf(2)},
        ReferenceCase{"lagrange_3", lagrangeOf(3)}, ReferenceCase{"lagrange_4", lagrangeOf(4)},
        ReferenceCase{"lagrange_5", lagrangeOf(5)},
        ReferenceCase{"sinc_8", {{"interpolation", word("sinc")}}},
        ReferenceCase{"hann", {{"window", word("hann")}}},
        ReferenceCase{"hamming", {{"window", word("hamming")}}},
        ReferenceCase{"tukey", {{"window", word("tukey")}}},
        ReferenceCase{"gaussian", {{"window", word("gaussian")}}},
        ReferenceCase{"iq_gaussian", {{"window", word("gaussian")}}},
        ReferenceCase{"full_hann", {{"window", word("hann")}, {"f_number", 0.0}}},
        ReferenceCase{"offset_0.23us", {{"t0_offset", 0.23e-6}}},
        ReferenceCase{"masked_01001", {{"transmits", std::vector<double>{0, 1, 0, 0, 1}}}},
        ReferenceCase{"weighted", {}, true},
        ReferenceCase{"coherence", {{"coherence_factor", true}}},
        ReferenceCase{"linear", {{"delays", word("table")}}}, ReferenceCase{"iq_linear"},
        ReferenceCase{"iq_linear", {{"delays", word("table")}}},
        ReferenceCase{"linear", {{"delays", word("full")}}},
        ReferenceCase{"iq_linear", {{"delays", word("full")}}},
        ReferenceCase{"iq_coherence", {{"delays", word("full")}, {"coherence_factor", true}}},
        ReferenceCase{"iq_back", {{"delays", word("full")}, {"travel_time", word("back")}}},
        ReferenceCase{"weighted", {{"delays", word("full")}}, true},
        ReferenceCase{
            "masked_01001",
            {{"delays", word("full")}, {"transmits", std::vector<double>{0, 1, 0, 0, 1}}}},
        ReferenceCase{"iq_sinc_8", {{"interpolation", word("sinc")}}},
        ReferenceCase{"iq_coherence", {{"coherence_factor", true}}},
        ReferenceCase{"back", {{"travel_time", word("back")}, {"t0_offset", 0.23e-6}}},
        ReferenceCase{
            "back",
            {{"travel_time", word("back")}, {"t0_offset", 0.23e-6}, {"delays", word("table")}}},
        ReferenceCase{"iq_back", {{"travel_time", word("back")}}},
        ReferenceCase{"back_data",
                      {{"travel_time", word("back")},
                       {"grid", word("data")},
                       {"f_number", 0.0},
                       {"interpolation", word("nearest")},
                       {"transmits", std::vector<double>{1, 0, 0, 0, 0}}}},
        ReferenceCase{"iq_incoherent", {{"compounding", word("incoherent")}}}));

HostFrame outputOf(std::size_t port, const HostFrame& frame, const Settings& settings) {
    const StageType& type = stageType("beamform");
    StageRunner runner(type, frame.spec, paramsFor(type, frame.spec, onReferenceGrid(settings)));
    return runner.runAll({frame})[port];
}
/// All transmits' low-resolution images.
HostFrame lowResolution(const HostFrame& frame, const Settings& settings) {
    return outputOf(1, frame, settings);
}
HostFrame delayedChannels(const HostFrame& frame, const Settings& settings) {
    return outputOf(2, frame, settings);
}

/// Sum over the images of a frame [image][depth][lateral] of `pixels` floats each.
std::vector<float> addedUp(const HostFrame& images, std::size_t pixels) {
    const std::span<const float> all = images.as<float>();
    std::vector<float> added(pixels, 0.0F);
    for (std::size_t i = 0; i < all.size(); ++i) added[i % pixels] += all[i];
    return added;
}

TEST(BeamformLowResolution, ImagesAgreeWithNumPy) {
    for (const bool iq : {false, true}) {
        const HostFrame images = lowResolution(referenceFrame(iq, !iq), {});
        ASSERT_EQ(images.spec.axes.size(), 3U);
        EXPECT_EQ(images.spec.axes[0].name, AxisName::Transmit);
        const std::span<const float> all = images.as<float>();
        for (std::size_t t = 0; t < 3; ++t) {
            const std::string name = (iq ? "iq_transmit_" : "transmit_") + std::to_string(t);
            SCOPED_TRACE(name);
            expectNear(all.subspan(t * all.size() / 5, all.size() / 5), reference()[name], 5e-5);
        }
    }
}

TEST(BeamformLowResolution, ImagesAddUpToTheSumHoweverItIsMade) {
    const HostFrame frame = referenceFrame(true, false);
    const Settings without{{"transmits", std::vector<double>{1, 0, 1, 1, 0}}};
    for (const Settings& more :
         {Settings{}, Settings{{"delays", word("table")}}, Settings{{"delays", word("full")}}}) {
        const HostFrame sum = runStage("beamform", frame, onReferenceGrid(with(without, more)));
        const HostFrame images = lowResolution(frame, with(without, more));
        const std::size_t pixels = sum.as<float>().size();
        expectNear(addedUp(images, pixels), sum.as<float>(), 1e-5);
        for (std::size_t i = 0; i < pixels; ++i)
            ASSERT_EQ(images.as<float>()[4 * pixels + i], 0.0F) << "switched off";
    }
    // They are the terms of the coherent sum, whatever is made of them.
    const HostFrame images = lowResolution(frame, without);
    for (const Settings& other :
         {Settings{{"compounding", word("incoherent")}}, Settings{{"coherence_factor", true}}})
        EXPECT_EQ(lowResolution(frame, with(without, other)).bytes, images.bytes);
}

TEST(BeamformDelayedChannels, AgreeWithNumPy) {
    for (const bool iq : {false, true}) {
        const HostFrame images = delayedChannels(referenceFrame(iq, !iq), {});
        ASSERT_EQ(images.spec.axes.size(), 3U);
        EXPECT_EQ(images.spec.axes[0].name, AxisName::Channel);
        const std::span<const float> all = images.as<float>();
        const std::size_t each = all.size() / 11;
        for (const std::size_t e : {0, 5, 10}) {
            const std::string name = (iq ? "iq_element_" : "element_") + std::to_string(e);
            SCOPED_TRACE(name);
            expectNear(all.subspan(e * each, each), reference()[name], 5e-5);
        }
    }
}

TEST(BeamformDelayedChannels, AddUpToTheSumHoweverItIsMade) {
    const HostFrame frame = referenceFrame(true, false);
    const Settings some{{"transmits", std::vector<double>{1, 0, 1, 1, 0}}};
    for (const Settings& more :
         {Settings{}, Settings{{"delays", word("table")}}, Settings{{"delays", word("full")}},
          Settings{{"window", word("hann")}, {"interpolation", word("sinc")}}}) {
        const HostFrame sum = runStage("beamform", frame, onReferenceGrid(with(some, more)));
        expectNear(addedUp(delayedChannels(frame, with(some, more)), sum.as<float>().size()),
                   sum.as<float>(), 1e-5);
    }
}

/// A frame [transmit][channel][depth][lateral] summed over its channels.
std::vector<float> summedOverChannels(const HostFrame& pairs) {
    const auto transmits = static_cast<std::size_t>(pairs.spec.axes[0].size);
    const auto channels = static_cast<std::size_t>(pairs.spec.axes[1].size);
    const std::span<const float> all = pairs.as<float>();
    const std::size_t each = all.size() / transmits / channels;
    std::vector<float> summed(transmits * each, 0.0F);
    for (std::size_t i = 0; i < all.size(); ++i)
        summed[i / (channels * each) * each + i % each] += all[i];
    return summed;
}

TEST(BeamformPairs, AddUpToChannelsAndTransmitsHoweverTheyAreMade) {
    for (const bool iq : {false, true}) {
        const HostFrame frame = referenceFrame(iq, !iq);
        const Settings some{{"transmits", std::vector<double>{1, 0, 1, 1, 0}}};
        for (const Settings& more :
             {Settings{}, Settings{{"delays", word("table")}}, Settings{{"delays", word("full")}},
              Settings{{"window", word("hann")}, {"interpolation", word("sinc")}}}) {
            const HostFrame pairs = outputOf(3, frame, with(some, more));
            ASSERT_EQ(pairs.spec.axes.size(), 4U);
            EXPECT_EQ(pairs.spec.axes[0].size, 5);
            EXPECT_EQ(pairs.spec.axes[1].size, 11);
            const HostFrame delayed = delayedChannels(frame, with(some, more));
            const HostFrame images = lowResolution(frame, with(some, more));
            expectNear(addedUp(pairs, delayed.as<float>().size()), delayed.as<float>(), 1e-5);
            expectNear(summedOverChannels(pairs), images.as<float>(), 1e-5);
        }
    }
}

TEST(BeamformDelayedChannels, OneOfThemIsTakenAsItIs) {
    const HostFrame images = delayedChannels(referenceFrame(false, true), {});
    const HostFrame one = runStage("one_channel", images, {{"channel", std::int64_t{11}}});
    const std::span<const float> all = images.as<float>();
    EXPECT_TRUE(std::ranges::equal(one.as<float>(), all.subspan(10 * all.size() / 11)));
    EXPECT_EQ(one.spec.axes.front(), images.spec.axes[1]);
    EXPECT_EQ(testing_support::refusal([&] {
                  runStage("one_channel", images, {{"channel", std::int64_t{12}}});
              }),
              "Stage 'one_channel': parameter 'channel' is 12, but the delayed channel data has 11 "
              "channels; choose 1 to 11.");
}

TEST(BeamformApodization, WindowsAreThoseOfSciPy) {
    const Scan scan = referenceScan();
    const FrameSpec spec = specOf(scan, DType::F32);
    const std::pair<const char*, ApodizationWindow> kWindows[] = {
        {"window_rectangular", ApodizationWindow::Rectangular},
        {"window_hann", ApodizationWindow::Hann},
        {"window_hamming", ApodizationWindow::Hamming},
        {"window_tukey", ApodizationWindow::Tukey},
        {"window_gaussian", ApodizationWindow::Gaussian}};
    for (const auto& [name, window] : kWindows) {
        BeamformParams params;
        params.window = window;
        params.tukeyAlpha = 0.4;
        params.fNumber = 0.0; // over the whole array: 11 elements, 11 points of the window
        const auto weights = apodizationWeights(spec.acquisition->probe, params, 0.0, 20e-3);
        SCOPED_TRACE(name);
        expectNear(weights, reference()[name], 3e-6);
    }
}

TEST(BeamformApodization, ApertureIsDepthOverFNumber) {
    const Scan scan = referenceScan();
    const FrameSpec spec = specOf(scan, DType::F32);
    BeamformParams params;
    params.fNumber = 2.0;
    // Half aperture 2.6 / 4 = 0.65 mm round x = 0.3 mm: elements at -0.3 to 0.9 mm.
    const auto weights = apodizationWeights(spec.acquisition->probe, params, 0.3e-3, 2.6e-3);
    const std::vector<float> expected{0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0};
    EXPECT_EQ(weights, expected);
}

} // namespace
} // namespace echolux::test
