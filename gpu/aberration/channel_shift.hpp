// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data as they had come with other delays and amplitudes of the elements: a screen undone,
// or one put before an array.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/compute_table.hpp"

#include <cstdint>
#include <vector>

namespace echolux::aberration {

/// What becomes of an element's amplitude a: a factor of its echoes.
enum class Weights {
    None,      ///< 1
    Equalised, ///< 1 / a, at most 10
    Matched    ///< a
};

/// Numbers of the elements in compute memory, [patch][element]. Elements whose delay is none (from
/// 10 us up, or not a number) or whose amplitude is 0 are left as they are.
struct ElementShifts {
    const float* delayS = nullptr;
    const float* amplitude = nullptr;
    float strength = 1.0F; ///< 0 does nothing, 1 all
    Weights weights = Weights::None;
};

/// y_tk(n) = g x_tk(n + d fs), of IQ data turned by exp(+2 pi j fd d), where d is the delay and g
/// the factor of the element that channel k listens to; where one element fired alone, its own
/// are added, which shifts what was sent as well. Reads between samples with 10 taps.
class ChannelShift {
public:
    static std::size_t heldBytes(const FrameSpec& input);

    /// `input`: [transmit][channel][sample], float or IQ, of a known array.
    void prepare(const Exec& exec, const FrameSpec& input);
    void set(const Exec& exec, bool onTransmit);
    /// `output`: `patches` frames like the input. `kernel`: the stage's name, for profilers.
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
