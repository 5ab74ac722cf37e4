// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of counts.
#include "gpu/model/part.hpp"

namespace echolux::model {

Part Part::times(double times) const {
    Part all = *this;
    for (double* count : {&all.globalBytes, &all.distinctBytes, &all.sharedBytes, &all.ffma,
                          &all.fmul, &all.fadd, &all.special, &all.offsets})
        *count *= times;
    return all;
}

Part Kernel::total() const {
    Part sum;
    for (const Part& part : parts) {
        sum.globalBytes += part.globalBytes;
        sum.distinctBytes += part.distinctBytes > 0.0 ? part.distinctBytes : part.globalBytes;
        sum.sharedBytes += part.sharedBytes;
        sum.ffma += part.ffma;
        sum.fmul += part.fmul;
        sum.fadd += part.fadd;
        sum.special += part.special;
        sum.offsets += part.offsets;
        sum.barriers += part.barriers;
    }
    return sum;
}

} // namespace echolux::model
