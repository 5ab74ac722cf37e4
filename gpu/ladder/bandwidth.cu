// SPDX-License-Identifier: GPL-3.0-or-later
// The memory accesses. Each is a functor over values.
#include "gpu/ladder/bandwidth.hpp"

#include "gpu/exec/for_each.hpp"

#include <algorithm>
#include <stdexcept>

namespace echolux::ladder {
namespace {

/// Aligned to its size, so that a thread loads and stores it in one instruction.
template <int kWidth> struct alignas(kWidth * sizeof(float)) Wide { float part[kWidth]; };

template <int kWidth> struct CopyWide {
    const Wide<kWidth>* in;
    Wide<kWidth>* out;
    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = in[i]; }
};

template <int kWidth> struct ReadWide {
    const Wide<kWidth>* in;
    Wide<kWidth>* out;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Wide<kWidth> value = in[i];
        float sum = 0.0F;
        for (int part = 0; part < kWidth; ++part) sum += value.part[part];
        if (sum >= kMark) out[0].part[0] = 1.0F;
    }
};

template <int kWidth> struct WriteWide {
    Wide<kWidth>* out;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        Wide<kWidth> value;
        for (int part = 0; part < kWidth; ++part) value.part[part] = kWritten;
        out[i] = value;
    }
};

template <int kWidth>
void touch(const Exec& exec, MemoryAccess access, std::int64_t count, const float* in, float* out) {
    const auto* from = reinterpret_cast<const Wide<kWidth>*>(in);
    auto* to = reinterpret_cast<Wide<kWidth>*>(out);
    const std::int64_t values = count / kWidth;
    switch (access) {
    case MemoryAccess::ReadAndWrite:
        return forEach(exec, "ladder copy", values, CopyWide<kWidth>{from, to});
    case MemoryAccess::Read:
        return forEach(exec, "ladder read", values, ReadWide<kWidth>{from, to});
    case MemoryAccess::Write: return forEach(exec, "ladder write", values, WriteWide<kWidth>{to});
    }
}

} // namespace

void touchMemory(const Exec& exec, MemoryAccess access, int width, std::int64_t count,
                 const float* in, float* out) {
    if (count % std::max(width, 1) != 0)
        throw std::logic_error("ladder: the floats are no whole number of values");
    switch (width) {
    case 1: return touch<1>(exec, access, count, in, out);
    case 2: return touch<2>(exec, access, count, in, out);
    case 4: return touch<4>(exec, access, count, in, out);
    default: throw std::logic_error("ladder: a value has 1, 2 or 4 floats");
    }
}

} // namespace echolux::ladder
