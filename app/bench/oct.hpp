// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT problems of `echolux bench oct`, and their measurement.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Spectra of layers with noise, 12 bit. Chain: cubic k-linearization, Hann window, dispersion,
/// inverse FFT, fixed pattern of 512 lines, decibels. With `gridding`, the chain is: moving
/// average, NUFFT gridding, Hann window, dispersion, inverse FFT, decibels.
struct OctProblem {
    std::string id;
    std::int64_t samples = 1024;
    std::int64_t linesPerBscan = 512;
    std::int64_t bscans = 256; ///< in one buffer
    bool movingAverage = false;
    bool packed = false;   ///< 12 bits stored in 12, otherwise in 16
    double gridding = 0.0; ///< oversampling of the NUFFT; 0: cubic interpolation

    FrameSpec input() const;
    SnapshotPtr snapshot() const;
    double lines() const { return static_cast<double>(linesPerBscan * bscans); }
    std::string describe() const;
};

/// The chain of Tschupp 2019: full depth range, amplitudes in single precision. `dcRemoval`: a
/// method of the stage dc_removal_moving. The document does not tell its oversampling.
SnapshotPtr tschuppChain(const OctProblem& problem, const std::string& dcRemoval = "moving_average",
                         double oversampling = 1.5);

/// Writes codes for a frame of the specification: three reflectors per line, and noise.
void fillSpectra(const OctProblem& problem, const FrameSpec& spec, std::byte* raw);

/// All problems. `reduced` (for the CPU): 4 B-scans in a buffer.
std::vector<OctProblem> octProblems(bool reduced);

struct OctResult {
    double processingMs = 0.0;           ///< median time of the chain with its data on the device
    double processingPerS = 0.0;         ///< A-scans per second
    double streamingPerS = 0.0;          ///< A-scans per second from pinned host memory to pixels
    double streamingGigabytesPerS = 0.0; ///< raw data, 1e9 bytes
    /// Greatest difference in dB between fused and separate stages, for levels above kComparedDb; 0
    /// on the CPU, which has no fusions.
    double deviationDb = 0.0;
};

/// `repeat`: number of timed runs, after three untimed ones. `fusing`: whether to time fused or
/// separate stages.
OctResult runOctProblem(const OctProblem& problem, Backend backend, Fusing fusing, int repeat);

} // namespace echolux
