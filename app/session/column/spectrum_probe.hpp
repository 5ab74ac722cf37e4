// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages up to k_linearize make of one raw spectrum. They run here once more, on the CPU
// and for a few lines, because in the pipeline they may be fused or on a GPU.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/oct/oct_tables.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

/// The specification of a frame like `raw` with at most `lines` lines. Empty where a line may begin
/// in the middle of a byte, as packed lines of an odd number of samples do.
std::optional<FrameSpec> frameOfLines(const FrameSpec& raw, std::int64_t lines);

/// Used by one thread. Costs about as much as kLines A-scans on the CPU backend. Allocates after a
/// structural edit.
class SpectrumProbe {
public:
    /// Where the background is the mean of the frame's lines, it is here the mean of this many of
    /// them. Where the stage averages fewer lines, it is the mean of the frame's first lines as in
    /// the stage.
    static constexpr std::int64_t kLines = 64;

    /// The spectrum of A-scan `line`, equally spaced in wavenumber. Empty where no k_linearize is
    /// active, or where a stage refuses so few lines. `frame` is one frame in host memory, also
    /// where `snapshot` takes an ensemble. `line` counts all A-scans of the frame.
    std::vector<float> remapped(const SnapshotPtr& snapshot, const std::byte* frame,
                                std::int64_t line);

private:
    void plan(const SnapshotPtr& snapshot);

    SnapshotPtr m_of; ///< what m_runner was planned for
    bool m_usable = false;
    Runner m_runner{Backend::Cpu, 1};
    oct::GatherTable m_gridding; ///< gridding of k_linearize's output; without points: the output
                                 ///< has equal steps already
    std::vector<std::byte> m_lines;
    std::size_t m_lineBytes = 0;
    std::int64_t m_frameLines = 0;
    std::int64_t m_firstLines = 0; ///< number of lines from the frame's beginning that are put
                                   ///< before the requested one
};

} // namespace echolux
