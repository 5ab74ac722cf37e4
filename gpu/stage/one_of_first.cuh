// SPDX-License-Identifier: GPL-3.0-or-later
// Stages that pick one item along the first axis: one_transmit, one_channel, one_frame.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/one_of_first.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

template <class Sample> struct CopySample {
    const Sample* in;
    Sample* out;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = in[i]; }
};

/// Enqueues out[...] = in[index][...] for f32 or complex_f32. `output` has the input's axes without
/// the first.
inline void copyOneOfFirst(const Exec& exec, const char* stage, const ConstTensorView& input,
                           const TensorView& output, std::int64_t index) {
    const std::int64_t count = output.spec->count();
    const auto copy = [&]<class Sample>(Sample* out) {
        forEach(exec, stage, count, CopySample<Sample>{input.as<Sample>() + index * count, out});
    };
    isComplex(output.spec->dtype) ? copy(output.as<Complex>()) : copy(output.as<float>());
}

/// Counts CopySample: the one item is read and written.
inline std::vector<model::Kernel> copyOneOfFirstWork(const PlannedStage& stage, const char* name) {
    const double bytes = bytesPerSample(stage.plan.outputs[0]);
    return {forEachWork(stage.backend, name, stage.plan.outputs[0].count(),
                        {.bytesRead = bytes, .bytesWritten = bytes})};
}

} // namespace echolux
