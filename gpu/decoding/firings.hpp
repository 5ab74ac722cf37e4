// SPDX-License-Identifier: GPL-3.0-or-later
// When and how strongly each element fires in each transmit, as a recording tells it.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace echolux::decoding {

/// With weight a and time tau [transmit][sender], s on the common clock of the transmit, and x_e
/// what a receiver records of a firing of element e at time 0, the record of transmit t is
///   y_t(time) = sum_e a_te x_e(time - tau_te)
struct Firings {
    std::vector<std::int32_t> elements; ///< senders: elements that fire in one transmit or more
    std::size_t transmits = 0;
    std::vector<double> weight;
    std::vector<double> timeS;

    std::size_t senders() const { return elements.size(); }
    std::size_t at(std::size_t transmit, std::size_t sender) const {
        return transmit * senders() + sender;
    }
};

/// Times are those of the ideal wave, idealDelay(). Without a stated apodization all elements fire
/// alike, of a single-element transmit that element alone.
Firings firingsOf(const Acquisition& acquisition);

/// Throws Error, in the name of `stage`, where channel data of one frame has no array, or one that
/// does not fit its axes, or where nothing is sent.
void checkSent(std::string_view stage, const FrameSpec& input);

/// Whether a table [transmit][channel] has the same row for each transmit; an empty one has.
template <class T> bool isSameForEach(const std::vector<T>& table, std::size_t channels) {
    for (std::size_t i = channels; i < table.size(); ++i)
        if (table[i] != table[i - channels]) return false;
    return true;
}

/// When the record of an element that fires alone, at time 0, begins.
struct Begin {
    double firstSampleS = 0.0;
    double iqPhaseZeroS = 0.0;
};

/// The acquisition in which each sender fires alone. `begins` is per sender; `heard` are the
/// elements that the channels listen to, or empty: channel i is element i.
Acquisition firedOneByOne(const Acquisition& from, const std::vector<std::int32_t>& senders,
                          const std::vector<Begin>& begins, const std::vector<std::int32_t>& heard);

} // namespace echolux::decoding
