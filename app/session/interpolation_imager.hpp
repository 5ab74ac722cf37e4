// SPDX-License-Identifier: GPL-3.0-or-later
// Images one frame with the pipeline in force and each interpolation of `beamform` in turn
// (Gronvold 2008, end of section 2.6.5: what interpolators do to real images).
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace echolux {

/// One way to read between samples; `taps` of Lagrange (order + 1), sinc and least squares.
struct BeamformReading {
    DelayInterpolation kind = DelayInterpolation::Linear;
    std::int64_t taps = 2;
};

/// The chain from raw frames to the amplitudes of their echoes, as the pipeline has it.
struct AmplitudeChain {
    FrameSpec raw;
    PipelineConfig config;
    std::string beamform;   ///< id of the stage `beamform` in it
    std::string amplitudes; ///< id of the stage whose output is compared
    std::string key;        ///< chains with the same key make the same images
};

/// Throws Error, a sentence, where the pipeline makes no such image: for spectra, ensembles,
/// volumes, without `beamform` and without a stage that makes amplitudes behind it.
AmplitudeChain amplitudeChain(const Snapshot& snapshot);

struct InterpolatedImage {
    std::vector<float> amplitudes; ///< [depth][lateral]
    double beamformMs = 0.0;       ///< least time of the stage `beamform`
};

struct InterpolatedImages {
    FrameSpec spec;
    std::vector<InterpolatedImage> images; ///< one per reading
};

/// Used by one thread at a time.
class InterpolationImager {
public:
    static constexpr int kRuns = 4;            ///< at most, of which the fastest counts
    static constexpr double kEnoughMs = 150.0; ///< no further run where one took longer

    /// Computes where the pipeline does. `gpu`: number of the GPU.
    InterpolationImager(Backend backend, int gpu);
    ~InterpolationImager();
    InterpolationImager(const InterpolationImager&) = delete;
    InterpolationImager& operator=(const InterpolationImager&) = delete;

    /// Throws Error where a stage refuses, and OutOfMemory.
    void prepare(const AmplitudeChain& chain);
    /// Copies the raw frame.
    void take(const std::byte* frame);
    /// No images where it was stopped. The memory is given back.
    InterpolatedImages images(std::span<const BeamformReading> readings,
                              const std::stop_token& stop);

private:
    struct Work;
    Backend m_backend;
    int m_gpu;
    std::unique_ptr<Work> m_work;
};

} // namespace echolux
