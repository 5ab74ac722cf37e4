// SPDX-License-Identifier: GPL-3.0-or-later
// Receive weights over range: against NumPy in double precision, what tables of ones and of depth
// alone do, what is refused, and which kernels take them (beamform_arrays_test.cpp: on beams).
#include "gpu/beamform/beamform_cuda.hpp"
#include "gpu/beamform/beamform_kernels.hpp"
#include "tests/gpu/beamform_arrays.hpp"
#include "tests/gpu/beamform_reference.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

namespace echolux::test {
namespace {

using testing::HasSubstr;

HostFrame weighedFrame(bool iq) {
    Scan scan = referenceScan();
    if (!iq) scan.receiveWeights = reference()["weights"];
    scan.rangeWeights = {reference()["over_range.table"], 2.2e-3, 0.9e-3};
    return referenceFrame(scan, iq);
}

Settings onGrid(const Settings& more = {}) {
    return with({{"lateral_min", -1.3e-3},
                 {"lateral_max", 1.1e-3},
                 {"depth_min", 1e-3},
                 {"depth_max", 1e-3 + 18 * 0.37e-3},
                 {"pixel_lateral", 0.2e-3},
                 {"pixel_depth", 0.37e-3},
                 {"f_number", 1.037}},
                more);
}

HostFrame outputOf(std::size_t port, const HostFrame& frame) {
    const StageType& type = stageType("beamform");
    StageRunner runner(type, frame.spec, paramsFor(type, frame.spec, onGrid()));
    return runner.runAll({frame})[port];
}

TEST(BeamformRangeWeights, ImagesAgreeWithNumPy) {
    Scan scan = referenceScan(); // without weights of transmits and channels
    scan.rangeWeights = {reference()["over_range.table"], 2.2e-3, 0.9e-3};
    for (const char* delays : {"kernel", "table"}) {
        SCOPED_TRACE(delays);
        const auto image = [&](const HostFrame& frame, const Settings& more = {}) {
            return runStage("beamform", frame, onGrid(with(more, {{"delays", word(delays)}})));
        };
        expectNear(image(weighedFrame(false)).as<float>(), reference()["over_range"], 5e-5);
        expectNear(image(referenceFrame(scan, false), {{"window", word("hann")}}).as<float>(),
                   reference()["over_range_hann"], 5e-5);
        expectNear(image(weighedFrame(true)).as<float>(), reference()["iq_over_range"], 5e-5);
        expectNear(image(weighedFrame(true), {{"coherence_factor", true}}).as<float>(),
                   reference()["iq_over_range_coherence"], 5e-5);
    }
}

TEST(BeamformRangeWeights, FurtherOutputsCarryThem) {
    const HostFrame frame = weighedFrame(false);
    const HostFrame transmits = outputOf(1, frame);
    const std::span<const float> images = transmits.as<float>();
    expectNear(images.subspan(images.size() / 5, images.size() / 5),
               reference()["over_range_transmit_1"], 5e-5);
    const HostFrame delayed = outputOf(2, frame);
    const std::span<const float> elements = delayed.as<float>();
    const std::size_t each = elements.size() / 11;
    expectNear(elements.subspan(3 * each, each), reference()["over_range_element_3"], 5e-5);
    expectNear(elements.subspan(6 * each, each), reference()["over_range_element_6"], 5e-5);
}

/// Tier A on the host, which CUDA runs.
TEST(BeamformRangeWeights, TheFormulaPixelByPixelAgreesWithNumPy) {
    for (const ArrayCase& c : casesOverRange()) {
        SCOPED_TRACE(c.name);
        const Recorded recorded(c);
        const HostFrame frame = recorded.frame();
        const StageType& type = stageType("beamform");
        const Params params = paramsFor(type, frame.spec, c.settings);
        const das::Model model = das::makeModel(frame.spec, params.as<BeamformParams>());
        const std::int64_t pixels = model.constants.grid.pixels();
        std::vector<float> image(static_cast<std::size_t>(pixels) * (c.iq ? 2 : 1));
        if (c.iq) {
            das::beamformReference({}, model.onHost(), frame.as<Complex>().data(),
                                   reinterpret_cast<Complex*>(image.data()), 0, 1, pixels);
        } else {
            das::beamformReference({}, model.onHost(), frame.as<float>().data(), image.data(), 0, 1,
                                   pixels);
        }
        expectNear(image, recorded.image(), 1e-4);
    }
}

TEST(BeamformRangeWeights, OnesChangeNothing) {
    for (const ArrayCase& c : arrayCases()) {
        SCOPED_TRACE(c.name);
        const HostFrame bare = Recorded(c).frame();
        HostFrame weighed = bare;
        auto acquisition = std::make_shared<Acquisition>(*bare.spec.acquisition);
        const auto channels = static_cast<std::size_t>(bare.spec.sizeOf(AxisName::Channel));
        acquisition->rangeWeights = {std::vector<float>(7 * channels, 1.0F), 1e-3, 0.4e-3};
        weighed.spec.acquisition = acquisition;
        EXPECT_EQ(runStage("beamform", weighed, c.settings).bytes,
                  runStage("beamform", bare, c.settings).bytes);
    }
}

TEST(BeamformRangeWeights, OfDepthAloneScaleRows) {
    Scan scan = referenceScan();
    const HostFrame bare = runStage("beamform", referenceFrame(scan, false), onGrid());
    // 0.25 up to 2 mm, 1 from 4 mm on.
    for (int e = 0; e < scan.elements; ++e)
        scan.rangeWeights.values.insert(scan.rangeWeights.values.end(), {0.25F, 1.0F});
    scan.rangeWeights.firstM = scan.rangeWeights.stepM = 2e-3;
    const HostFrame weighed = runStage("beamform", referenceFrame(scan, false), onGrid());
    const std::int64_t columns = bare.spec.axes[1].size;
    std::vector<float> scaled;
    for (std::int64_t i = 0; i < std::ssize(bare.as<float>()); ++i) {
        const double z = 1e-3 + 0.37e-3 * static_cast<double>(i / columns);
        const double weight = std::clamp(0.25 + 0.75 * (z - 2e-3) / 2e-3, 0.25, 1.0);
        scaled.push_back(static_cast<float>(weight) *
                         bare.as<float>()[static_cast<std::size_t>(i)]);
    }
    expectNear(weighed.as<float>(), scaled, 1e-6);
}

TEST(BeamformRangeWeights, OneStepWeighsChannels) {
    Scan scan = referenceScan();
    for (int t = 0; t < 5; ++t)
        for (int e = 0; e < scan.elements; ++e)
            scan.receiveWeights.push_back(0.1F * static_cast<float>(e));
    const HostFrame expected = runStage("beamform", referenceFrame(scan, false), onGrid());
    scan.rangeWeights = {
        {scan.receiveWeights.begin(), scan.receiveWeights.begin() + 11}, 3e-3, 1.0};
    scan.receiveWeights.clear();
    expectNear(runStage("beamform", referenceFrame(scan, false), onGrid()).as<float>(),
               expected.as<float>(), 1e-6);
}

TEST(BeamformRangeWeights, TablesThatDoNotFitAreRefused) {
    const auto refusalOf = [](const std::function<void(RangeWeights&)>& change) {
        Scan scan = referenceScan();
        scan.rangeWeights = {std::vector<float>(33, 0.5F), 1e-3, 2e-3};
        change(scan.rangeWeights);
        return testing_support::refusal(
            [&] { runStage("beamform", referenceFrame(scan, false), onGrid()); });
    };
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refusalOf([](auto& w) { w.values.pop_back(); }),
              "Stage 'beamform' got 32 receive weights over range, which are not as many for each "
              "of 11 channels; correct it in the recording or its sidecar file.");
    EXPECT_THAT(refusalOf([](auto& w) { w.values[7] = -0.1F; }), HasSubstr("is negative"));
    EXPECT_THAT(refusalOf([](auto& w) { w.values[7] = NAN; }), HasSubstr("not a finite number"));
    EXPECT_THAT(refusalOf([](auto& w) { w.values.assign(11 * 1'000'001, 1.0F); }),
                HasSubstr("at 1000001 ranges, more than 1000000"));
    EXPECT_THAT(refusalOf([](auto& w) { w.firstM = kNaN; }), HasSubstr("begin at no finite"));
    for (const double step : {0.0, -1e-3, kNaN})
        EXPECT_THAT(refusalOf([=](auto& w) { w.stepM = step; }),
                    HasSubstr("instead of more than 0"));
}

TEST(BeamformReceiveWeights, CountInCoherenceByTheFormulaAlone) {
    const Scan scan;
    const FrameSpec spec = specOf(scan, DType::F32);
    const auto isTuned = [&](const char* key, float weight) {
        FrameSpec weighed = spec;
        auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
        acquisition->receiveWeights.assign(
            static_cast<std::size_t>(spec.sizeOf(AxisName::Transmit) *
                                     spec.sizeOf(AxisName::Channel)),
            1.0F);
        acquisition->receiveWeights.front() = weight;
        weighed.acquisition = acquisition;
        const Params params = paramsFor(stageType("beamform"), weighed, {{key, true}});
        const das::Model model = das::makeModel(weighed, params.as<BeamformParams>());
        EXPECT_EQ(das::whyUntuned(model, DelaySource::Kernel, false),
                  weight == 1.0F ? ""
                                 : "the weights of its records count in the coherence factor or "
                                   "the normalisation");
        return das::chooseCudaSum(model, false, 1, das::tunedPitch(model), std::size_t{1} << 30)
            .isTuned();
    };
    for (const char* key : {"coherence_factor", "normalize"}) {
        EXPECT_TRUE(isTuned(key, 1.0F)) << key;
        EXPECT_FALSE(isTuned(key, 0.5F)) << key;
        EXPECT_FALSE(isTuned(key, 0.0F)) << key;
    }
}

TEST(BeamformRangeWeights, NoTunedKernelTakesThem) {
    const auto expectNone = [](const HostFrame& frame, const Settings& settings) {
        const bool iq = isComplex(frame.spec.dtype);
        const auto chosen = [&](const FrameSpec& spec) {
            const Params params = paramsFor(stageType("beamform"), spec, settings);
            const das::Model model = das::makeModel(spec, params.as<BeamformParams>());
            EXPECT_EQ(das::tunedSuits(model) || das::ownLinesLayout(model, iq) ||
                          das::spaceLayout(model, iq, 1),
                      model.rangeWeights.empty());
            EXPECT_EQ(das::whyUntuned(model, DelaySource::Kernel, iq),
                      model.rangeWeights.empty() ? "" : "its receive weights change over range");
            return das::chooseCudaSum(model, iq, 1, das::tunedPitch(model), std::size_t{1} << 30);
        };
        EXPECT_FALSE(chosen(frame.spec).isTuned());
        FrameSpec bare = frame.spec;
        auto acquisition = std::make_shared<Acquisition>(*bare.acquisition);
        acquisition->rangeWeights = {};
        bare.acquisition = acquisition;
        EXPECT_TRUE(chosen(bare).isTuned());
    };
    Scan scan; // a plane wave, which the plain kernels take
    scan.rangeWeights = {std::vector<float>(64, 1.0F), 0.0, 1e-3};
    expectNone(HostFrame(specOf(scan, DType::F32)), {});
    for (const ArrayCase& c : casesOverRange()) {
        if (c.name == "shadow" || c.name == "matrix_tilts") continue; // focused in space: never
        SCOPED_TRACE(c.name);
        expectNone(Recorded(c).frame(), c.settings);
    }
}

} // namespace
} // namespace echolux::test
