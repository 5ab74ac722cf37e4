// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of flow on ensembles of volumes [frame][elevation][depth][lateral]: slice by slice what
// they make of each slice alone, since no box reaches into a neighbouring slice. Singular vectors
// belong to the whole volume.
#include "tests/gpu/beamform_run.hpp"
#include "tests/gpu/flow_frames.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <complex>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr std::int64_t kEnsembleFrames = 6;
constexpr std::int64_t kElevations = 3;
constexpr std::int64_t kDeep = 29;
constexpr std::int64_t kWide = 5;

FrameSpec ofVolumes(const FrameSpec& images) {
    FrameSpec spec = images;
    spec.axes.insert(spec.axes.begin() + 1,
                     {AxisName::Elevation, kElevations, 0.3e-3, -0.3e-3, "m"});
    return spec;
}

FrameSpec sliceEnsemble() { return ensembleSpec(kEnsembleFrames, kDeep, kWide); }

/// Echoes that turn by another phase in each slice, with noise.
HostFrame volumeEnsemble() {
    HostFrame made(ofVolumes(sliceEnsemble()));
    const std::vector<float> random = noise(made.as<float>().size(), 8);
    auto* samples = reinterpret_cast<std::complex<float>*>(made.bytes.data());
    const std::int64_t each = kElevations * kDeep * kWide;
    for (std::int64_t i = 0; i < made.spec.count(); ++i) {
        const auto frame = static_cast<double>(i / each);
        const auto slice = static_cast<double>(i % each / (kDeep * kWide));
        const auto depth = static_cast<double>(i / kWide % kDeep);
        const auto at = static_cast<std::size_t>(2 * i);
        samples[i] = std::complex<float>(std::polar(1.0 + slice, 0.6 * slice * frame + depth)) +
                     std::complex<float>(0.3F * random[at], 0.3F * random[at + 1]);
    }
    return made;
}

/// Slice `slice` of each frame of an ensemble or of one image.
HostFrame oneSliceOf(const HostFrame& whole, std::size_t slice) {
    FrameSpec spec = whole.spec;
    std::erase_if(spec.axes, [](const Axis& axis) { return axis.name == AxisName::Elevation; });
    HostFrame made(spec);
    const auto frames = static_cast<std::size_t>(spec.sizeOf(AxisName::Frame));
    const std::size_t each = made.bytes.size() / frames;
    for (std::size_t f = 0; f < frames; ++f)
        std::copy_n(whole.bytes.begin() +
                        static_cast<std::ptrdiff_t>((f * kElevations + slice) * each),
                    each, made.bytes.begin() + static_cast<std::ptrdiff_t>(f * each));
    return made;
}

void expectSlicesAlike(const std::string& stage, const Settings& settings) {
    SCOPED_TRACE(stage);
    const StageType& type = stageType(stage);
    const HostFrame input = volumeEnsemble();
    const auto outputsOf = [&](const HostFrame& of) {
        StageRunner run(type, of.spec, paramsFor(type, of.spec, settings));
        return run.runAll({of});
    };
    const HostFrames whole = outputsOf(input);
    for (std::size_t slice = 0; slice < kElevations; ++slice) {
        const HostFrames alone = outputsOf(oneSliceOf(input, slice));
        for (std::size_t port = 0; port < whole.size(); ++port) {
            const HostFrame part = oneSliceOf(whole[port], slice);
            EXPECT_EQ(part.spec.axes, alone[port].spec.axes);
            expectNear(part.as<float>(), alone[port].as<float>(), 1e-6);
        }
    }
}

TEST(VolumeFlow, EachSliceIsWhatItIsAlone) {
    const Settings all{{"threshold", 120.0}, {"max_spread", 1.0}};
    for (const char* estimator : {"autocorrelation", "autocorrelation_2d", "cross_correlation"})
        expectSlicesAlike("flow",
                          with(all, {{"estimator", estimator}, {"depth_pixels", std::int64_t{5}}}));
    expectSlicesAlike("flow", with(all, {{"stagger", "two_to_three"}}));
    for (const char* method : {"polynomial", "cosines", "high_pass"})
        expectSlicesAlike("clutter_filter", {{"method", method}, {"cutoff", 0.05}});
    expectSlicesAlike("one_frame", {{"frame", std::int64_t{2}}});
    expectSlicesAlike("ensemble_mean", {});
}

TEST(VolumeFlow, ThePowerIsAVolumeOfItsOwn) {
    const HostFrame input = volumeEnsemble();
    const StageType& type = stageType("flow");
    StageRunner run(type, input.spec, paramsFor(type, input.spec, {}));
    const HostFrames made = run.runAll({input});
    std::vector<Axis> axes = input.spec.axes;
    axes.erase(axes.begin());
    for (const HostFrame& output : made) EXPECT_EQ(output.spec.axes, axes);
}

TEST(VolumeFlow, SingularVectorsAreThoseOfTheWholeVolume) {
    const HostFrame input = volumeEnsemble();
    HostFrame flat = input; // the same pixels as one image
    flat.spec = ensembleSpec(kEnsembleFrames, kElevations * kDeep, kWide);
    const Settings settings{{"method", "svd"}, {"first", std::int64_t{2}}};
    expectNear(runStage("clutter_filter", input, settings).as<float>(),
               runStage("clutter_filter", flat, settings).as<float>(), 0.0);
}

TEST(VolumeFlow, GatherKeepsTheLastVolumes) {
    FrameSpec volume = ofVolumes(sliceEnsemble());
    volume.axes.erase(volume.axes.begin());
    const StageType& type = stageType("gather");
    StageRunner run(type, volume, paramsFor(type, volume, {{"frames", std::int64_t{3}}}));
    const auto each = static_cast<std::size_t>(2 * volume.count());
    HostFrame last;
    for (const float level : {1.0F, 2.0F, 3.0F, 4.0F})
        last = run.run(HostFrame(volume, std::vector<float>(each, level)));
    EXPECT_EQ(last.spec.axes[0].name, AxisName::Frame);
    EXPECT_EQ(last.spec.axes[1], volume.axes[0]);
    for (std::size_t i = 0; i < 3 * each; ++i)
        ASSERT_EQ(last.as<float>()[i], static_cast<float>(2 + i / each));
}

TEST(VolumeFlow, StacksOfOctAreRefused) {
    FrameSpec stack = ofVolumes(sliceEnsemble());
    std::swap(stack.axes[2], stack.axes[3]); // [elevation][lateral][depth]
    for (const char* stage : {"flow", "clutter_filter", "one_frame"})
        EXPECT_THAT(refusal([&] { runStage(stage, HostFrame(stack)); }), HasSubstr("axes"))
            << stage;
}

} // namespace
} // namespace echolux::test
