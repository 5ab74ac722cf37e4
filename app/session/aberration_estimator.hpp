// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the aberration of one frame with all its steps, for display. The stage `aberration`
// estimates it live.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/aberration_parts.hpp"
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

/// The chain from raw frames to the input of the stage `aberration`, with the stage's parameters.
struct AberrationChain {
    FrameSpec raw;
    PipelineConfig config; ///< the stages before the stage `aberration`; no stages: it takes raw
                           ///< frames
    std::string stage;     ///< the id of the stage `aberration`
    aberration::FocusParams focus = {};
    aberration::SolveParams solve = {};
    std::int64_t patches = 1;                    ///< number of patches of the stage
    std::int64_t patch = 0;                      ///< the patch that is estimated
    std::optional<AberrationTruth> screens = {}; ///< see screensBefore()
    std::string key = {}; ///< chains of one recording with the same key make the same estimate
};

/// The chain for patch number `patch`, from 0; the last patch where there are fewer. Throws Error,
/// a sentence, where no stage estimates aberration.
AberrationChain aberrationChain(const Snapshot& snapshot, std::int64_t patch = 0);

/// The focused signals of the channels at one point over time, made of the estimate's frequency
/// bins only.
struct FocusedSignals {
    std::int64_t channels = 0;
    std::int64_t rows = 0;
    double startS = 0.0; ///< time of row 0 relative to the focus
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
    aberration::Estimate estimate; ///< with all steps of its iteration
    std::vector<double> binsHz;
    aberration::Method method = aberration::Method::LeastSquares;
    std::int32_t points = 0;     ///< number of points that were focused on
    FocusedSignals focused = {}; ///< at the brightest point
    FocusedSpectrum spectrum = {};
    std::optional<double> widthBeforeM = {}; ///< width of the point at -6 dB along the array, all
                                             ///< lobes included
    std::optional<double> widthAfterM = {};
};

/// Width between the outermost places within `reach` of the peak that still have half the peak's
/// amplitude, in steps of `powers`. A screen may split a point into lobes; the width includes them.
/// Empty where a side never falls that far, or still has half the amplitude at the end of the
/// reach.
std::optional<double> halfWidth(const std::vector<double>& powers, std::ptrdiff_t reach);

/// Returns the estimate of the stage `aberration`, which corrects the image. The stage does not
/// keep the steps of its iteration, so this class computes them, starting without a filter. Runs on
/// a quarter of the CPU's cores, whatever the backend of the pipeline. Used by one thread at a
/// time.
class AberrationEstimator {
public:
    AberrationEstimator();
    ~AberrationEstimator();
    AberrationEstimator(const AberrationEstimator&) = delete;
    AberrationEstimator& operator=(const AberrationEstimator&) = delete;

    /// Plans and prepares the chain; does nothing where it has prepared the same stages already.
    /// Throws Error where a stage refuses.
    void prepare(const AberrationChain& chain);
    /// Copies a raw frame and the state of the stage `aberration` (Engine::shownFrame()). An empty
    /// `state` means that the stage does not run. Then look() returns its own estimate.
    void take(const std::byte* frame, std::span<const std::byte> state = {});
    AberrationLook look();
    /// Times of the parts of such an estimate on `backend`. Precondition: look() has returned, and
    /// no other frame was taken.
    EstimateParts parts(Backend backend) const;

private:
    struct FewCores;
    AberrationLook lookAt();

    Runner m_runner;
    std::unique_ptr<FewCores> m_few;
    AberrationChain m_chain;
    std::string m_stages; ///< the prepared stages as text
    Buffer m_raw;
    std::vector<std::byte> m_state;
    FrameSpec m_input;               ///< of the frame that look() estimated from
    const void* m_samples = nullptr; ///< of the same, in m_raw or in m_runner's memory
};

} // namespace echolux
