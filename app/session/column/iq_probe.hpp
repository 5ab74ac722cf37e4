// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages up to the last complex channel data make of one raw line. They run here once
// more, on the CPU and for this line, because in the pipeline they may be fused or on a GPU.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/column/column.hpp"
#include "app/session/column/line_spectrum.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace echolux {

/// Used by one thread. Plans anew after an edit, and for another transmit or channel.
class IqProbe {
public:
    /// Empty where no active stage makes channel data complex, where it only keeps complex data as
    /// they were recorded, and where a stage refuses a single line. `frame` is in host memory, in
    /// the form that `snapshot` takes.
    std::optional<IqSpectrum> spectrum(const SnapshotPtr& snapshot, const std::byte* frame,
                                       std::int64_t transmit, std::int64_t channel);

private:
    void plan(const SnapshotPtr& snapshot, std::int64_t transmit, std::int64_t channel);

    SnapshotPtr m_of; ///< what m_runner was planned for, with the two below
    std::int64_t m_transmit = -1;
    std::int64_t m_channel = -1;
    bool m_usable = false;
    Runner m_runner{Backend::Cpu, 1};
    std::optional<LineSpectrum> m_spectrum;
    std::vector<std::byte> m_line;
};

} // namespace echolux
