// SPDX-License-Identifier: GPL-3.0-or-later
// White noise for 4xUP of Gronvold 2008, and the measurement of its kernel on it.
#pragma once

#include "app/bench/documents.hpp"
#include "gpu/ladder/four_times_up.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

class UpNoise {
public:
    /// 128 lines of 32768 samples, or fewer.
    explicit UpNoise(const DocumentBench& bench);

    /// Lines and samples of the problem are those of the noise. Samples per second, with deviation
    /// and GB/s. `codes`: the output is codes.
    DocumentEntry measure(const char* table, std::string name, ladder::UpProblem problem,
                          bool codes) const;

private:
    const DocumentBench& m_bench;
    std::int64_t m_lines;
    std::int32_t m_samples;
    std::vector<float> m_noise; ///< -1 to 1
    Buffer m_in;                ///< the same as codes
    Buffer m_out;
};

/// Greatest difference between 4xUP's output `up`, [line][4 sample], and its filters applied to
/// `exact`, [line][sample], in double precision; divided by its greatest magnitude. Compares the
/// ends of lines and a selection of places. `clipped`: the output ends at -1 and 1.
double upDeviation(const ladder::UpProblem& problem, const std::vector<float>& exact,
                   const std::vector<float>& up, bool clipped);

} // namespace echolux
