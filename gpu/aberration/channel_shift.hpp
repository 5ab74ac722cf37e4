// SPDX-License-Identifier: GPL-3.0-or-later
// Changes channel data as if the elements had other delays and amplitudes: undoes a screen, or puts
// one before the array.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/compute_table.hpp"

#include <cstdint>
#include <vector>

namespace echolux::aberration {

/// The factor of an element's echoes, given its amplitude a.
enum class Weights {
    None,      ///< 1
    Equalised, ///< 1 / a, at most 10
    Matched    ///< a
};

/// Delays and amplitudes in compute memory, [patch][element]. An element is left unchanged where
/// its delay is invalid (10 us or more, or NaN) or its amplitude is 0.
struct ElementShifts {
    const float* delayS = nullptr;
    const float* amplitude = nullptr;
    float strength = 1.0F; ///< 0: no change, 1: the full change
    Weights weights = Weights::None;
};

/// y_tk(n) = g x_tk(n + d fs), for IQ data multiplied by exp(+2 pi j fd d). d is the delay and g
/// the factor of the element that channel k listens to. Where a single element fired, its own delay
/// is added and its own factor multiplied, which changes the sent wave as well. Reads between
/// samples with 10 taps.
class ChannelShift {
public:
    static std::size_t heldBytes(const FrameSpec& input);

    /// `input` is [transmit][channel][sample], float or IQ, of a known array.
    void prepare(const Exec& exec, const FrameSpec& input);
    void set(const Exec& exec, bool onTransmit);
    /// `output` holds `patches` frames like the input. `kernel` is the stage's name, for profilers.
    void run(const Exec& exec, const char* kernel, const void* samples, const ElementShifts& shifts,
             void* output, std::int64_t patches = 1) const;

private:
    template <class Sample> void shift(const Exec& exec, const char* kernel, const void* samples,
                                       const ElementShifts& shifts, void* output,
                                       std::int64_t patches) const;

    FrameSpec m_input;
    ComputeTable<std::int32_t> m_receivers;
    ComputeTable<std::int32_t> m_senders;
    ComputeTable<float> m_table;
};

} // namespace echolux::aberration
