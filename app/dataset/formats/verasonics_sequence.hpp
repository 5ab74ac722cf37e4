// SPDX-License-Identifier: GPL-3.0-or-later
// Which acquisitions a Verasonics workspace holds, in which rows of RcvData, and in which order.
#pragma once

#include "app/dataset/formats/verasonics_values.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// One transmit and the recording after it. Indices count from 0.
struct VerasonicsAcquisition {
    std::size_t tx = 0;
    std::size_t receive = 0;  ///< index into Receive
    std::size_t firstRow = 0; ///< first row in RcvData, within the frame
    std::size_t rows = 0;

    bool sameAs(const VerasonicsAcquisition& other) const {
        return tx == other.tx && firstRow == other.firstRow && rows == other.rows;
    }
};

struct VerasonicsSequence {
    std::vector<std::string> tracks; ///< a name for each buffer that holds acquisitions
    std::size_t track = 0;           ///< the chosen one
    std::size_t buffer = 0;          ///< index into RcvData
    std::vector<VerasonicsAcquisition> acquisitions;
    std::vector<std::size_t> frames; ///< indices into the third axis of RcvData, in order of time
    double frameRateHz = 0.0;        ///< 0 = unknown
    std::vector<std::string> warnings;
};

/// `stored[b]`: number of frames that RcvData holds of buffer b; 0: none. `options` choose the
/// buffer.
VerasonicsSequence readVerasonicsSequence(const VerasonicsValues& values,
                                          const std::vector<std::size_t>& stored,
                                          const OpenOptions& options);

} // namespace echolux
