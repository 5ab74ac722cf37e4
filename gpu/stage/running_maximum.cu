// SPDX-License-Identifier: GPL-3.0-or-later
// Running maximum: a reduction, then one thread that combines the result with the past.
#include "gpu/stage/running_maximum.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/exec/reduce.hpp"

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
    const float* frameMaximum; ///< null: no frame
    const float* past;         ///< null: no previous frame
    float* next;
    float decay;

    ECHOLUX_HD void operator()(std::int64_t) const {
        const float before = past != nullptr ? *past * decay : 0.0F;
        *next = frameMaximum != nullptr ? Larger{}(*frameMaximum, before) : before;
    }
};

} // namespace

std::size_t runningMaximumWorkspaceBytes() { return (kReducePartials + 1) * sizeof(float); }

const float* followMaximum(const Exec& exec, const char* name, const float* frame,
                           std::int64_t count, float decay, const Workspace& workspace) {
    auto* partials = static_cast<float*>(workspace.data);
    float* frameMaximum = partials + kReducePartials;
    reduce(exec, name, count, FiniteMagnitude{frame}, Larger{}, 0.0F, partials, frameMaximum);
    auto* next = static_cast<float*>(workspace.next);
    forEach(exec, name, 1,
            Follow{frameMaximum, static_cast<const float*>(workspace.past), next, decay});
    return next;
}

void keepMaximum(const Exec& exec, const char* name, const Workspace& workspace) {
    forEach(exec, name, 1,
            Follow{nullptr, static_cast<const float*>(workspace.past),
                   static_cast<float*>(workspace.next), 1.0F});
}

} // namespace echolux
