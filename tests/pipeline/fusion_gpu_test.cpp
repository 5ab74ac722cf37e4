// SPDX-License-Identifier: GPL-3.0-or-later
// The fused OCT chain against the separate stages, on random settings of all of them.
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "tests/support/active_stage.hpp"
#include "tests/support/chooser.hpp"
#include "tests/support/front_end_chains.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/oct_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using testing_support::activeStage;
using testing_support::Chooser;
using testing_support::codeRange;
using testing_support::spectraCodes;
using testing_support::spectraSpec;

/// Samples of a line, and the oversampling that brings them onto a grid of the kernel.
struct Gridding {
    std::int64_t samples;
    double oversampling;
};

TEST(FusionGpu, StagesRunSeparatelyAndTogetherAgain) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = spectraSpec(DType::U16, 40, 1024);
    const SnapshotPtr snapshot = instantiate(shippedPipeline("oct"), spec);
    Runner runner(Backend::Cuda, 2);
    runner.apply(snapshot);
    ASSERT_TRUE(runner.hasFusions());
    const std::size_t together = runner.steps().size();
    const std::uint64_t built = runner.builds();
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    runner.setFusing(Fusing::Never);
    EXPECT_EQ(runner.fusing(), Fusing::Allowed) << "from the next apply() on";
    runner.apply(snapshot);
    EXPECT_EQ(runner.fusing(), Fusing::Never);
    EXPECT_TRUE(runner.hasFusions());
    EXPECT_EQ(runner.builds(), built + 1);
    EXPECT_GT(runner.steps().size(), together);
    for (const Step& step : runner.steps()) EXPECT_EQ(step.stages.size(), 1U);
    runner.wait(runner.enqueue({.raw = raw.as<std::byte>()}));
    EXPECT_EQ(runner.timing(0).stepMs.size(), runner.steps().size());
    runner.setFusing(Fusing::Allowed);
    runner.apply(snapshot);
    EXPECT_EQ(runner.steps().size(), together);
    runner.wait(runner.enqueue({.raw = raw.as<std::byte>()}));
}

SnapshotPtr randomChain(Chooser& choose) {
    const DType type = choose.one({DType::U8, DType::I16, DType::U16, DType::Packed12});
    const bool gridded = choose.chance(0.4);
    const auto [samples, oversampling] =
        gridded ? choose.one<Gridding>({{256, 2.0},
                                        {512, 2.0},
                                        {512, 1.125},
                                        {1024, 2.0},
                                        {2048, 1.0},
                                        {4096, 2.0},
                                        {904, 1.125},
                                        {1024, 1.125},
                                        {1024, 1.5},
                                        {2048, 1.25},
                                        {2048, 1.5},
                                        {4096, 1.25},
                                        {4096, 1.5},
                                        {1000, 1.02},
                                        {488, 1.04},
                                        {2040, 1.003}})
                : choose.one<Gridding>(
                      {{512, 1.0}, {1024, 1.0}, {2048, 1.0}, {4096, 1.0}, {8192, 1.0}});
    FrameSpec spec = spectraSpec(type, choose.integer(1, 70), samples);
    if (choose.chance(0.2)) {
        spec.axes.insert(spec.axes.begin(),
                         {AxisName::Elevation, choose.integer(1, 3), 1.0, 0.0, ""});
    }
    if (choose.chance(0.2)) {
        spec.codeOffset = 100.0;
        spec.codeScale = 0.25;
    }
    SnapshotPtr s = instantiate(shippedPipeline("oct"), spec);
    const auto set = [&](const char* stage, const char* key, const ParamValue& value) {
        s = withValue(*s, stage, key, value);
    };
    if (choose.chance(0.3)) set("spectrum_to_float", "shift", choose.integer(1, 8));
    set("background_subtract", "source",
        choose.one<std::string>({"recording", "frame_mean", "none"}));
    set("background_subtract", "lines", choose.integer(0, 50));
    set("background_subtract", "strength", choose.real(0.0, 2.0));
    set("dc_removal_moving", "window", choose.integer(3, choose.chance(0.2) ? 1024 : 60));
    set("k_linearize", "method",
        gridded ? ParamValue("nufft") : choose.one<std::string>({"linear", "cubic", "lanczos"}));
    if (gridded) {
        set("k_linearize", "oversampling", oversampling);
        set("k_linearize", "kernel_width", choose.integer(2, 8));
    } else {
        set("k_linearize", "lobes", choose.integer(3, 4));
    }
    if (choose.chance(0.5)) {
        set("k_linearize", "curve", "polynomial");
        set("k_linearize", "c1", choose.real(-30.0, 30.0));
        set("k_linearize", "c2", choose.real(-30.0, 30.0));
    }
    set("window", "shape", choose.one<std::string>({"hann", "gauss", "rectangular"}));
    set("dispersion", "c1", choose.real(-40.0, 40.0));
    set("dispersion", "c2", choose.real(-40.0, 40.0));
    if (choose.chance(0.3)) set("inverse_fft", "range", "full");
    if (choose.chance(0.3)) set("magnitude_log", "scale", "linear");
    set("fixed_pattern", "method", choose.one<std::string>({"mean", "minimum_variance"}));
    set("fixed_pattern", "lines", choose.integer(0, 50));
    for (const char* stage :
         {"background_subtract", "dc_removal_moving", "k_linearize", "window", "dispersion"}) {
        if (choose.chance(0.2) && !(gridded && std::string(stage) == "k_linearize"))
            s = withBypass(*s, stage, true);
    }
    return withBypass(*s, "fixed_pattern", choose.chance(0.6));
}

std::vector<float> image(Runner& runner, const SnapshotPtr& snapshot,
                         const std::vector<std::byte>& raw) {
    const Buffer pinned(MemoryKind::Pinned, raw.size());
    std::copy(raw.begin(), raw.end(), pinned.as<std::byte>());
    const Buffer out(MemoryKind::Device, snapshot->output().bytes());
    std::vector<float> pixels(snapshot->output().bytes() / sizeof(float));
    runner.enqueue({.raw = pinned.as<std::byte>(), .targets = {ViewTarget{out.data()}}});
    runner.drain();
    download(runner.exec(0), pixels.data(), out.data(), out.bytes());
    runner.drain();
    return pixels;
}

/// By how much undoing the gridding kernel's taper raises the deepest pixel, and its rounding.
double taperGain(const Snapshot& snapshot) {
    const FrameSpec& spectra = activeStage(snapshot, "inverse_fft")->input();
    const oct::Lines lines = oct::linesOf(spectra);
    const std::vector<float> scale =
        oct::depthScale(lines, spectra.spectralGrid, oct::depthGrid(lines, 1, true));
    return *std::ranges::max_element(scale) / *std::ranges::min_element(scale);
}

/// Amplitudes agree within 1e-5 of what the strongest code can give before anything is
/// subtracted: decibels of what nearly cancels do not.
void expectAlike(const Snapshot& snapshot, const std::vector<float>& fused,
                 const std::vector<float>& separate) {
    constexpr double kRounding = 1e-3; // of a code
    ASSERT_EQ(fused.size(), separate.size());
    const bool isLinear =
        std::get<std::string>(snapshot.stage("magnitude_log").params.get("scale")) == "linear";
    const auto amplitude = [isLinear](float pixel) {
        return isLinear ? static_cast<double>(pixel) : std::pow(10.0, pixel / 20.0);
    };
    double worst = 0.0;
    for (std::size_t i = 0; i < fused.size(); ++i)
        worst = std::max(worst, std::abs(amplitude(fused[i]) - amplitude(separate[i])));
    const auto [lowest, highest] = codeRange(snapshot.input.dtype);
    const double strongest = std::max(-lowest, highest) * snapshot.input.codeScale;
    EXPECT_LE(worst, 1e-5 * 2.0 * strongest * taperGain(snapshot) + kRounding);
}

TEST(FusionGpu, TheOctChainEqualsItsStages) {
    ECHOLUX_NEED_GPU();
    constexpr unsigned kCases = 150;
    unsigned fusedCases = 0;
    for (unsigned seed = 0; seed < kCases; ++seed) {
        Chooser choose(seed);
        const SnapshotPtr snapshot = randomChain(choose);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", input " + snapshot->input.describe() +
                     "\n" + toToml(toFullConfig(*snapshot)));
        const std::vector<std::byte> raw = spectraCodes(snapshot->input, seed);
        Runner fused(Backend::Cuda, 1, Fusing::Allowed);
        Runner separate(Backend::Cuda, 1, Fusing::Never);
        fused.apply(snapshot);
        separate.apply(snapshot);
        if (fused.steps().size() == 1) ++fusedCases;
        expectAlike(*snapshot, image(fused, snapshot, raw), image(separate, snapshot, raw));
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(fusedCases, kCases * 3 / 4);
}

TEST(FusionGpu, LiveEditsReachTheFusedChainWithoutAllocation) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = spectraSpec(DType::U16, 40, 1024);
    const std::vector<std::byte> raw = spectraCodes(spec, 7);
    SnapshotPtr snapshot =
        withValue(*instantiate(shippedPipeline("oct"), spec), "k_linearize", "curve", "polynomial");
    Runner fused(Backend::Cuda, 1, Fusing::Allowed);
    Runner separate(Backend::Cuda, 1, Fusing::Never);
    fused.apply(snapshot);
    separate.apply(snapshot);
    const std::pair<const char*, const char*> edits[] = {{"k_linearize", "c2"},
                                                         {"dispersion", "c1"},
                                                         {"dc_removal_moving", "window"},
                                                         {"background_subtract", "strength"},
                                                         {"background_subtract", "lines"},
                                                         {"magnitude_log", "max_db"}};
    for (const auto& [stage, key] : edits) {
        SCOPED_TRACE(stage);
        snapshot = withValue(*snapshot, stage, key,
                             key == std::string("window")  ? ParamValue(std::int64_t{61})
                             : key == std::string("lines") ? ParamValue(std::int64_t{7})
                                                           : ParamValue(1.5));
        const std::uint64_t before = memoryCounters().allocations;
        fused.apply(snapshot);
        EXPECT_EQ(memoryCounters().allocations, before);
        separate.apply(snapshot);
        expectAlike(*snapshot, image(fused, snapshot, raw), image(separate, snapshot, raw));
    }
}

TEST(FusionGpu, TheUltrasoundFrontEndEqualsItsStages) {
    ECHOLUX_NEED_GPU();
    constexpr unsigned kCases = 200;
    unsigned fusedCases = 0;
    for (unsigned seed = 0; seed < kCases; ++seed) {
        Chooser choose(seed);
        const SnapshotPtr snapshot = testing_support::randomFrontEnd(choose);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", input " + snapshot->input.describe() +
                     "\n" + toToml(toFullConfig(*snapshot)));
        const std::vector<std::byte> raw = testing_support::echoCodes(snapshot->input, seed);
        Runner fused(Backend::Cuda, 1, Fusing::Allowed);
        Runner separate(Backend::Cuda, 1, Fusing::Never);
        fused.apply(snapshot);
        separate.apply(snapshot);
        if (fused.steps().front().fusion != nullptr) ++fusedCases;
        testing_support::expectSameLines(*snapshot, image(fused, snapshot, raw),
                                         image(separate, snapshot, raw));
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(fusedCases, kCases * 3 / 5);
}

TEST(FusionGpu, LiveEditsReachTheFusedFrontEndWithoutAllocation) {
    ECHOLUX_NEED_GPU();
    FrameSpec spec = test::channelSpec(3, 16, 1666, 20.832e6, 5.208e6);
    spec.dtype = DType::I16;
    const std::vector<std::byte> raw = testing_support::echoCodes(spec, 7);
    for (const char* tail : {"analytic", "iq_demod"}) {
        SnapshotPtr snapshot = instantiate(
            testing_support::frontEndOf({"to_float", "dc_removal", "bandpass", tail}), spec);
        Runner fused(Backend::Cuda, 1, Fusing::Allowed);
        Runner separate(Backend::Cuda, 1, Fusing::Never);
        fused.apply(snapshot);
        separate.apply(snapshot);
        ASSERT_EQ(fused.steps().size(), 1U);
        const std::pair<const char*, std::pair<const char*, ParamValue>> edits[] = {
            {"to_float", {"scale", 0.5}},
            {"bandpass", {"low", 3e6}},
            {"bandpass", {"taps", std::int64_t{127}}},
            {tail, {"taps", std::int64_t{127}}},
            {tail, {"taps", std::int64_t{15}}}};
        for (const auto& [stage, edit] : edits) {
            SCOPED_TRACE(std::string(stage) + " " + edit.first);
            snapshot = withValue(*snapshot, stage, edit.first, edit.second);
            const std::uint64_t before = memoryCounters().allocations;
            fused.apply(snapshot);
            EXPECT_EQ(memoryCounters().allocations, before);
            separate.apply(snapshot);
            testing_support::expectSameLines(*snapshot, image(fused, snapshot, raw),
                                             image(separate, snapshot, raw));
        }
    }
}

} // namespace
} // namespace echolux
