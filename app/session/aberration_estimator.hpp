// SPDX-License-Identifier: GPL-3.0-or-later
// The aberration of one frame estimated in every detail, beside the stage that estimates it live.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/known_screen.hpp"
#include "gpu/aberration/host_estimate.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// From raw frames to what the stage `aberration` takes, and what it is told.
struct AberrationChain {
    FrameSpec raw;
    PipelineConfig config; ///< up to the stage's first input; without stages: raw frames
    std::string stage;     ///< its instance
    aberration::FocusParams focus = {};
    aberration::SolveParams solve = {};
    std::int64_t patches = 1;                    ///< of the stage
    std::int64_t patch = 0;                      ///< that is looked at
    std::optional<AberrationTruth> screens = {}; ///< see screensBefore()
    std::string key = {}; ///< chains of one recording with the same key make the same estimate
};

/// Of one of the stage's patches, from 0; the last one where there are fewer. Throws Error, a
/// sentence, where nothing estimates aberration.
AberrationChain aberrationChain(const Snapshot& snapshot, std::int64_t patch = 0);

/// The channels of one place over time, in the bins of the estimate alone.
struct FocusedSignals {
    std::int64_t channels = 0;
    std::int64_t rows = 0;
    double startS = 0.0; ///< from the focus
    double stepS = 0.0;
    std::vector<float> before = {}; ///< [channel][row]
    std::vector<float> after = {};
};

/// Mean power of the channels, without a unit.
struct FocusedSpectrum {
    std::vector<double> frequencyHz;
    std::vector<double> power;
};

struct AberrationLook {
    aberration::ElementGrid grid;
    aberration::Estimate estimate; ///< with all of its steps
    std::vector<double> binsHz;
    std::int32_t points = 0;     ///< that were focused on
    FocusedSignals focused = {}; ///< of the brightest point
    FocusedSpectrum spectrum = {};
    std::optional<double> widthBeforeM = {}; ///< -6 dB, all lobes, along the array
    std::optional<double> widthAfterM = {};
};

/// Width between the outermost places within `reach` of the peak where half its amplitude is
/// reached, in the spacing of `powers`: lobes into which a screen splits a point belong to it.
/// Nothing where a side never falls so far, or is that strong still at the end of the reach.
std::optional<double> halfWidth(const std::vector<double>& powers, std::ptrdiff_t reach);

/// The estimate is the stage's own, by which the image is corrected; only its steps, which the
/// stage does not keep, are computed here, without a filter to begin with. On the CPU, whatever
/// runs the pipeline, and on a quarter of its cores. Used by one thread at a time.
class AberrationEstimator {
public:
    AberrationEstimator();
    ~AberrationEstimator();
    AberrationEstimator(const AberrationEstimator&) = delete;
    AberrationEstimator& operator=(const AberrationEstimator&) = delete;

    /// Makes ready; nothing to do where it is for the same stages. Throws Error where one refuses.
    void prepare(const AberrationChain& chain);
    /// Copies a raw frame and what the stage left behind it (Engine::shownFrame()); they may go
    /// then. Without that, as where the stage is not run, the estimate is this one's own.
    void take(const std::byte* frame, std::span<const std::byte> state = {});
    AberrationLook look();

private:
    struct FewCores;
    AberrationLook lookAt();

    Runner m_runner;
    std::unique_ptr<FewCores> m_few;
    AberrationChain m_chain;
    std::string m_stages; ///< as text
    Buffer m_raw;
    std::vector<std::byte> m_state;
};

} // namespace echolux
