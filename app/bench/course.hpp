// SPDX-License-Identifier: GPL-3.0-or-later
// The course's problem with the geometry of problem D3, for its measurements and their tests.
#pragma once

#include "app/bench/das.hpp"
#include "gpu/ladder/course.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux {

constexpr double kExactDelays = 5e-3; ///< allowed deviation, due to indices in single precision

struct CourseProblem {
    DasProblem das;             ///< problem D3
    ladder::Course course;      ///< the same problem; its angles point to `angles`
    std::vector<float> angles;  ///< rad
    std::vector<float> samples; ///< random, [transmit][element][sample]

    /// `reduced`: fewer points. With another number of waves than the course's 3, at least 2, they
    /// are evenly spaced in angle between its outermost ones, and `das` keeps its 3.
    explicit CourseProblem(bool reduced, int waves = 3);
    CourseProblem(const CourseProblem&) = delete;
    CourseProblem& operator=(const CourseProblem&) = delete;

    /// Sample of one element for point p in double precision. Empty near the record's end: there
    /// the course's kernel is 0 from the last sample on, and a texture fades.
    std::optional<double> exact(int transmit, int element, std::int64_t p) const;
    /// The sum over the elements. Empty under the same condition.
    std::optional<double> exactSum(int transmit, std::int64_t p) const;
    /// Greatest difference over a selection of points, divided by the greatest magnitude. For
    /// delayed samples [transmit][element][point], and for sums [transmit][point].
    double deviationOfDelayed(const std::vector<float>& delayed) const;
    double deviationOfSums(const std::vector<float>& sums) const;
};

/// Inputs of the course's kernels, in compute memory.
struct CourseData {
    Buffer angles;
    Buffer samples;
    ladder::Course course;

    CourseData(const Exec& exec, const CourseProblem& problem);
};

} // namespace echolux
