// SPDX-License-Identifier: GPL-3.0-or-later
// Running maximum: one reduction, then one thread that joins it with the past.
#include "gpu/stage/running_maximum.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/exec/reduce.hpp"
#include "gpu/memory/transfer.hpp"

#include <cmath>

namespace echolux {
namespace {

struct FiniteMagnitude {
    const float* frame;

    ECHOLUX_HD float operator()(std::int64_t i) const {
        const float magnitude = fabsf(frame[i]);
        return std::isfinite(magnitude) ? magnitude : 0.0F;
    }
};

struct Larger {
    ECHOLUX_HD float operator()(float a, float b) const { return a < b ? b : a; }
};

struct Follow {
    const float* frameMaximum;
    float* value;
    float decay;

    ECHOLUX_HD void operator()(std::int64_t) const {
        *value = Larger{}(*frameMaximum, *value * decay);
    }
};

} // namespace

std::size_t RunningMaximum::workspaceBytes() { return (kReducePartials + 1) * sizeof(float); }

void RunningMaximum::prepare(const Exec& exec) {
    m_value = Buffer(computeMemory(exec.backend), sizeof(float));
    reset(exec);
}

void RunningMaximum::reset(const Exec& exec) {
    fillBytes(exec, m_value.data(), 0, m_value.bytes());
}

const float* RunningMaximum::enqueue(const Exec& exec, const char* name, const float* frame,
                                     std::int64_t count, float decay, void* workspace) {
    auto* partials = static_cast<float*>(workspace);
    float* frameMaximum = partials + kReducePartials;
    reduce(exec, name, count, FiniteMagnitude{frame}, Larger{}, 0.0F, partials, frameMaximum);
    forEach(exec, name, 1, Follow{frameMaximum, m_value.as<float>(), decay});
    return m_value.as<float>();
}

} // namespace echolux
