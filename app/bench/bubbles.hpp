// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench bubbles`: how well bubbles are localised and tracked, and how fast.
#pragma once

#include "app/bench/bubble_scores.hpp"
#include "app/source/plane_wave_setup.hpp"
#include "gpu/exec/exec.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// The phantom `bubbles`, as plane waves see it.
struct BubbleProblem {
    std::string id;
    std::int64_t frames = 1; ///< whole ensembles of the pipeline `bubble_tracks`
    PlaneWaveSetup setup;

    std::string describe() const;
};

/// B1: the bundled recording `bubbles`; B2: five waves, more elements, 1000 frames per second.
std::vector<BubbleProblem> bubbleProblems();

struct BubbleResult {
    std::string method; ///< of `localise`
    BubbleScores places;
    BubbleScores tracks;
    double trackCount = 0.0;
    double saturation = 0.0; ///< share of the fine pixels in the tubes that a track went through
};

/// Simulated frames, and the true bubbles of each that lie in the image.
class BubbleScene {
public:
    explicit BubbleScene(const BubbleProblem& problem);
    ~BubbleScene();
    BubbleScene(BubbleScene&&) noexcept;

    std::span<const std::int16_t> samples(std::int64_t frame) const;
    /// By the pipeline `bubble_tracks`; `method` is a choice of `localise`.
    BubbleResult score(const std::string& method, Backend backend) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The choices of `localise`.
std::vector<std::string> bubbleMethods();

/// The time that bubbles take behind the clutter filter: an ensemble of images in compute memory,
/// in which 50 bubbles go round.
struct BubbleChain {
    static constexpr std::int64_t kFrames = 32;
    static constexpr std::int64_t kSide = 250; ///< pixels of an image
    static constexpr std::int64_t kBubbles = 50;

    double ensembleMs = 0.0; ///< median
    double envelopeMs = 0.0;
    double localiseMs = 0.0;
    double trackMs = 0.0;
    double accumulateMs = 0.0;
    double listed = 0.0; ///< tracked bubbles per frame

    double framesPerS() const { return 1e3 / ensembleMs * static_cast<double>(kFrames); }
};

BubbleChain runBubbleChain(Backend backend, int repeat);

void addBenchBubbles(CLI::App& bench);

} // namespace echolux
