// SPDX-License-Identifier: GPL-3.0-or-later
// Time of each part of an estimate of the aberration (Herikstad 2009, table 5.2 and 5.3.4).
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/focus.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"

namespace echolux {

/// Milliseconds of one estimate.
struct EstimateParts {
    double focusMs = 0.0;    ///< channels focused on the points, and their spectra
    double sumsMs = 0.0;     ///< beam sums, weights, correlation of neighbours
    double solutionMs = 0.0; ///< iterations, or least squares
    double endMs = 0.0;      ///< unwrapped phase, figures, delays

    double sum() const { return focusMs + sumsMs + solutionMs + endMs; }
};

/// Times estimates from `samples` in host memory on `backend`, by the stage's own kernels and
/// parameters: the mean of several after a first one. The copy to the GPU is not timed. Throws
/// Error where the stage would refuse.
EstimateParts estimateParts(Backend backend, const FrameSpec& input, const void* samples,
                            const aberration::FocusParams& focus,
                            const aberration::SolveParams& solve);

} // namespace echolux
