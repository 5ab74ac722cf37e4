// SPDX-License-Identifier: GPL-3.0-or-later
// Stages in Python over CuPy arrays, with the interpreter that the program would start: images,
// copies, checks. ECHOLUX_PYTHON and VIRTUAL_ENV name the Python that has CuPy.
#include "app/pipeline/plugins.hpp"
#include "app/pipeline/runner.hpp"
#include "gpu/check/stage_check.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/temporary_folder.hpp"
#if defined(ECHOLUX_HAS_CUPTI)
#include "tests/support/cupti_copies.hpp"
#endif

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

constexpr int kSlots = 3;
constexpr std::int64_t kSamples = 500;

/// Loads the text as a plugin. Empty, with the reason, where Python or CuPy is missing.
std::optional<Plugin> loaded(const std::filesystem::path& file, const std::string& text,
                             std::string& reason) {
    std::ofstream(file) << text;
    try {
        Plugin plugin = allowPlugin(file);
        if (plugin.hasCuda) return plugin;
        reason = "Python has no CuPy";
    } catch (const Error& error) {
        reason = error.what();
    }
    return std::nullopt;
}

/// Runs frames of a ramp, whose slope tells the frame, through `to_float` and the stage, several in
/// flight. Returns the sample in the middle of each, fetched when all have run.
class Played {
public:
    Played(Backend backend, const std::string& stage)
        : m_spec(test::codesSpec(2, 16, kSamples)), m_runner(backend, kSlots) {
        m_runner.apply(instantiate(test::chainOf({"to_float", stage}), m_spec));
    }
    Runner& runner() { return m_runner; }

    std::vector<float> frames(int count) {
        const auto samples = static_cast<std::size_t>(m_spec.count());
        const std::size_t bytes = m_runner.snapshot()->output().bytes();
        const Exec exec = m_runner.exec(0);
        const Buffer raw(stagingMemory(exec.backend),
                         static_cast<std::size_t>(count) * m_spec.bytes());
        const Buffer out(computeMemory(exec.backend), static_cast<std::size_t>(count) * bytes);
        std::vector<int> slots;
        for (int f = 0; f < count; ++f) {
            if (f >= m_runner.slotCount())
                m_runner.wait(slots[static_cast<std::size_t>(f - m_runner.slotCount())]);
            auto* codes = raw.as<std::int16_t>() + static_cast<std::size_t>(f) * samples;
            for (std::size_t i = 0; i < samples; ++i)
                codes[i] = static_cast<std::int16_t>((f + 1) * (static_cast<int>(i) % kSamples));
            slots.push_back(
                m_runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes),
                                  .targets = {ViewTarget{out.as<std::byte>() +
                                                         static_cast<std::size_t>(f) * bytes}}}));
        }
        m_runner.drain();
        if (m_whenRun) m_whenRun();
        std::vector<float> host(out.bytes() / sizeof(float));
        download(exec, host.data(), out.data(), out.bytes());
        m_runner.drain();
        std::vector<float> middles;
        for (int f = 0; f < count; ++f)
            middles.push_back(host[static_cast<std::size_t>(f) * samples + kSamples / 2]);
        return middles;
    }
    /// Called before the images are fetched.
    void whenRun(std::function<void()> call) { m_whenRun = std::move(call); }

private:
    FrameSpec m_spec;
    Runner m_runner;
    std::function<void()> m_whenRun;
};

constexpr const char* kRoots = R"(
from echolux_stages import Real, array_module, stage
@stage(gpu=True)
def roots_there(image, gain=Real(3.0, 0.0, 9.0, help="A factor.")):
    """Roots of amplitudes."""
    return array_module(image).sqrt(abs(image)) * gain
)";

TEST(PythonStagesGpu, FramesInFlightStayOnTheGpu) {
    ECHOLUX_NEED_GPU();
    const test::TemporaryFolder folder;
    std::string reason;
    if (!loaded(folder / "roots_there.py", kRoots, reason)) GTEST_SKIP() << reason;
    constexpr int kFrames = 60;
    Played gpu(Backend::Cuda, "roots_there");
    EXPECT_EQ(gpu.runner().crossings(), Crossings{});
    gpu.frames(2); // compiles kernels and fills CuPy's pool
    const std::uint64_t before = memoryCounters().deviceToHost;
    gpu.whenRun([&] { EXPECT_EQ(memoryCounters().deviceToHost, before); });
#if defined(ECHOLUX_HAS_CUPTI)
    testing_support::startCountingCopies();
    gpu.whenRun([&] {
        EXPECT_EQ(memoryCounters().deviceToHost, before);
        const testing_support::CopyCounts copies = testing_support::stopCountingCopies();
        EXPECT_EQ(copies.toHost, 0U);
        EXPECT_EQ(copies.fromHost, static_cast<std::uint64_t>(kFrames)) << "the recording";
        EXPECT_LE(copies.onDevice, static_cast<std::uint64_t>(kFrames)) << "the results";
    });
#endif
    const std::vector<float> there = gpu.frames(kFrames);
    EXPECT_EQ(gpu.runner().capturedFrames(), 0U);
    const std::vector<float> here = Played(Backend::Cpu, "roots_there").frames(kFrames);
    for (int f = 0; f < kFrames; ++f) {
        const auto at = static_cast<std::size_t>(f);
        EXPECT_NEAR(there[at], here[at], 1e-4F * here[at]);
        const double expected = 3.0 * std::sqrt(static_cast<double>((f + 1) * (kSamples / 2)));
        EXPECT_NEAR(there[at], expected, 1e-5 * expected);
    }
}

TEST(PythonStagesGpu, TheSameStageRunsOnTheCpuBetweenStagesOnTheGpu) {
    ECHOLUX_NEED_GPU();
    const test::TemporaryFolder folder;
    std::string reason;
    if (!loaded(folder / "roots_there.py", kRoots, reason)) GTEST_SKIP() << reason;
    Played gpu(Backend::Cuda, "roots_there");
    const std::vector<float> there = gpu.frames(12);
    gpu.runner().apply(withOnCpu(*gpu.runner().snapshot(), "roots_there", true));
    EXPECT_EQ(gpu.runner().crossings().toHost, 1U);
    const std::vector<float> onHost = gpu.frames(12);
    for (std::size_t f = 0; f < there.size(); ++f)
        EXPECT_NEAR(onHost[f], there[f], 1e-4F * there[f]);
}

TEST(PythonStagesGpu, PassTheChecksOfStages) {
    ECHOLUX_NEED_GPU();
    std::string reason;
    const std::filesystem::path example =
        std::filesystem::path(ECHOLUX_SOURCE_DIR) / "resources/plugins/root/root.py";
    std::optional<Plugin> plugin;
    try {
        plugin = allowPlugin(example);
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
    if (!plugin->hasCuda) GTEST_SKIP() << "Python has no CuPy";
    EXPECT_THAT(check::backendsAgree(stageType("root")), testing::IsEmpty());
}

TEST(PythonStagesGpu, WithoutCupyTheyRunOnTheHostAndSaySo) {
    ECHOLUX_NEED_GPU();
    const test::TemporaryFolder folder;
    std::string reason;
    const bool hasCupy = loaded(folder / "roots_here.py",
                                "from echolux_stages import stage\n@stage(gpu=True)\n"
                                "def roots_here(image):\n    return abs(image) ** 0.5\n",
                                reason)
                             .has_value();
    if (reason.find("libpython") != std::string::npos) GTEST_SKIP() << reason;
    Played gpu(Backend::Cuda, "roots_here");
    EXPECT_EQ(gpu.runner().crossings().toHost, hasCupy ? 0U : 1U);
    const std::vector<std::string> warnings = gpu.runner().snapshot()->warnings();
    if (hasCupy)
        EXPECT_THAT(warnings, testing::IsEmpty());
    else
        EXPECT_THAT(warnings, testing::Contains(testing::AllOf(testing::HasSubstr("roots_here"),
                                                               testing::HasSubstr("CuPy"))));
    EXPECT_NEAR(gpu.frames(4)[3], std::sqrt(1000.0), 1e-3);
}

} // namespace
} // namespace echolux
