// SPDX-License-Identifier: GPL-3.0-or-later
// Completes half matrix captures: by reciprocity, the signal from a to b is the signal from b to a.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace echolux {

/// In each frame [transmit][channel][sample], copies lines of pairs of elements that were recorded
/// in one direction to the place of the other direction. So beamformers get the full matrix. A
/// receive weight of 2 instead would count the stored receiver twice where only the missing one is
/// within the aperture.
class ReciprocalFill {
public:
    using ReadFrame = std::function<void(std::span<std::byte>)>;

    ReciprocalFill() = default;
    /// Finds the pairs among single-element transmits: a receive weight of 2 whose reverse has the
    /// weight 0. Where there are no weights: lines whose reverse is constant throughout the first
    /// frame, if that holds for every pair. In `info` the weights of these pairs become 1 (and the
    /// list becomes empty where all are 1), and a note or a warning is added. `readFirst` reads the
    /// first frame as it is stored. Where it throws Error, nothing is filled.
    ReciprocalFill(RecordingInfo& info, const ReadFrame& readFirst);

    /// `frame` is one frame as it is stored.
    void apply(std::span<std::byte> frame) const;
    bool fills() const { return !m_copies.empty(); } ///< false: apply() does nothing

private:
    struct Copy {
        std::size_t from; ///< number of the line, counted over [transmit][channel]
        std::size_t to;
    };
    std::size_t m_lineBytes = 0;
    std::vector<Copy> m_copies;
};

} // namespace echolux
