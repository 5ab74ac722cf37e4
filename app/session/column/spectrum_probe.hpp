// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages up to k_linearize make of one raw spectrum, whether or not they are fused or run
// on a GPU: they run once more on the CPU, for a few lines.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/oct/oct_tables.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

/// Frames like `raw`, of at most so many lines; nothing where lines begin within a byte, as packed
/// ones of an odd number of samples do.
std::optional<FrameSpec> frameOfLines(const FrameSpec& raw, std::int64_t lines);

/// Used by one thread. Costs about as much as kLines A-scans of the CPU backend; allocates where an
/// edit is structural.
class SpectrumProbe {
public:
    /// A background that is the mean of the frame's lines is the mean of so many of them here, or
    /// of its first lines where fewer are asked for.
    static constexpr std::int64_t kLines = 64;

    /// Equally spaced in wavenumber; empty where no k_linearize is active, or a stage refuses so
    /// few lines. `frame` in host memory as `snapshot` takes it; `line` counts all its A-scans.
    std::vector<float> remapped(const SnapshotPtr& snapshot, const std::byte* frame,
                                std::int64_t line);

private:
    void plan(const SnapshotPtr& snapshot);

    SnapshotPtr m_of; ///< what m_runner was planned for
    bool m_usable = false;
    Runner m_runner{Backend::Cpu, 1};
    oct::GatherTable m_gridding; ///< of what leaves k_linearize; without points: it is even
    std::vector<std::byte> m_lines;
    std::size_t m_lineBytes = 0;
    std::int64_t m_firstLines = 0; ///< of the frame, which come before the one asked for
};

} // namespace echolux
