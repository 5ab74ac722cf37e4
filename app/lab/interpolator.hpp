// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to read a line between its samples, computed with the functions of `beamform` and
// `upsample`.
#pragma once

#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/dsp/upsampling.hpp"
#include "gpu/stage/param_table.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux::lab {

/// Parameters of the stage `upsample`.
struct Upsampling {
    int factor = 3;
    std::int64_t taps = 11;
    FractionalDesign design = FractionalDesign::Sinc;

    bool operator==(const Upsampling&) const = default;
};

struct Interpolator {
    std::optional<Upsampling> before = {};
    DelayInterpolation kind = DelayInterpolation::Linear;
    std::int64_t taps = 2; ///< of Lagrange (order + 1), sinc and least squares; not used by others

    std::string id() const;    ///< "lagrange_5", "upsample_3_sinc_11_linear"
    std::string label() const; ///< "Lagrange 5", "x3 sinc 11, linear"
    bool operator==(const Interpolator&) const = default;
};

/// The interpolator of a stage with these values, after the upsampling `before`; empty where the
/// stage is not `beamform`.
std::optional<Interpolator> interpolatorOf(const Params& stage,
                                           const std::optional<Upsampling>& before);

/// The interpolators that the comparison shows.
std::vector<Interpolator> comparedInterpolators();

/// Reads lines of `samples` samples, with echoes in `band`, by an interpolator.
class LineReader {
public:
    LineReader(const Interpolator& interpolator, std::int64_t samples, EchoBand band);

    /// Adds the line, delayed by `delay` samples, to `sum`: x(n - delay) to sum[n] for from <= n <
    /// to.
    void add(std::span<const float> line, double delay, std::int64_t from, std::int64_t to,
             std::span<double> sum) const;

private:
    std::vector<float> upsampled(std::span<const float> line) const;

    das::LineReading m_reading;
    std::vector<float> m_table;
    PhaseFirs m_firs; ///< factor 1: no upsampling
};

} // namespace echolux::lab
