// SPDX-License-Identifier: GPL-3.0-or-later
// median: y[depth][lateral] = median of x over a square of N x N pixels round [depth][lateral], N
// odd, 1 to 9 (1 = unchanged). Beyond the edges the nearest pixel counts. In images where NaN means
// no data it stays NaN, and the pixel itself counts in place of neighbours without data. Volumes
// are filtered slice by slice.
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <cmath>

// Constant indices keep the values below in a GPU's registers.
#if defined(__CUDA_ARCH__)
#define ECHOLUX_UNROLL _Pragma("unroll")
#else
#define ECHOLUX_UNROLL
#endif

namespace echolux {
namespace {

struct MedianParams {
    std::int64_t window = 1;
};

ECHOLUX_HD inline void order(float& low, float& high) {
    const float smaller = high < low ? high : low;
    high = high < low ? low : high;
    low = smaller;
}

/// Forgetful selection. Among more than half of the values, the smallest and the largest cannot be
/// the median of all. Both are dropped and one new value is added, until three values are left.
template <int N, bool HasGaps> struct Median {
    static constexpr int kCount = N * N;
    static constexpr int kKept = kCount / 2 + 2;
    static_assert(N % 2 == 1 && N >= 3);

    const float* in;
    float* out;
    std::int64_t depths;
    std::int64_t laterals;

    ECHOLUX_HD static std::int64_t clamped(std::int64_t index, std::int64_t size) {
        return index < 0 ? 0 : index < size ? index : size - 1;
    }

    /// A pixel and the slice that it lies in.
    struct Place {
        const float* slice;
        std::int64_t depth;
        std::int64_t lateral;
    };

    ECHOLUX_HD Place placeOf(std::int64_t i) const {
        const std::int64_t row = i / laterals;
        const std::int64_t slice = row / depths;
        return {in + slice * depths * laterals, row - slice * depths, i - row * laterals};
    }

    ECHOLUX_HD float neighbour(const Place& place, int k) const {
        const std::int64_t depth = clamped(place.depth + k / N - N / 2, depths);
        const std::int64_t lateral = clamped(place.lateral + k % N - N / 2, laterals);
        const float value = place.slice[depth * laterals + lateral];
        if constexpr (HasGaps)
            return std::isnan(value) ? place.slice[place.depth * laterals + place.lateral] : value;
        return value;
    }

    /// Brings the smallest of the first `size` values to the front and the largest to the end.
    ECHOLUX_HD static void orderEnds(float (&values)[kKept], int size) {
        ECHOLUX_UNROLL
        for (int k = 1; k < size; ++k) order(values[0], values[k]);
        ECHOLUX_UNROLL
        for (int k = 1; k < size - 1; ++k) order(values[k], values[size - 1]);
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Place place = placeOf(i);
        if constexpr (HasGaps) {
            if (std::isnan(in[i])) {
                out[i] = in[i];
                return;
            }
        }
        float kept[kKept];
        ECHOLUX_UNROLL
        for (int k = 0; k < kKept; ++k) kept[k] = neighbour(place, k);
        ECHOLUX_UNROLL
        for (int size = kKept; size > 3; --size) {
            orderEnds(kept, size);
            kept[0] = neighbour(place, 2 * kKept - size);
        }
        orderEnds(kept, 3);
        out[i] = kept[1];
    }
};

class MedianStage final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }

    void update(const Exec&, const Params& params) override {
        m_window = params.as<MedianParams>().window;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        switch (m_window) {
        case 1: return copyWithin(exec, output.data, input.data, input.spec->bytes());
        case 3: return filter<3>(exec, input, output);
        case 5: return filter<5>(exec, input, output);
        case 7: return filter<7>(exec, input, output);
        default: return filter<9>(exec, input, output);
        }
    }

private:
    template <int N>
    static void filter(const Exec& exec, const ConstTensorView& input, const TensorView& output) {
        const auto write = [&](auto median) {
            median.in = input.as<float>();
            median.out = output.as<float>();
            median.depths = input.spec->sizeOf(AxisName::Depth);
            median.laterals = input.spec->sizeOf(AxisName::Lateral);
            forEach(exec, "median", input.spec->count(), median);
        };
        if (input.spec->hasGaps) return write(Median<N, true>{});
        write(Median<N, false>{});
    }

    std::int64_t m_window = 1;
};

/// Counts Median: for each size from kKept down to 3, orderEnds() compares 2 size - 3 pairs, and
/// each pair takes a smaller and a larger one (two comparisons); every value is one load with its
/// limits.
std::vector<model::Kernel> medianWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto window = static_cast<double>(stage.params.as<MedianParams>().window);
    if (window < 2.0) return {copyWork("median", input.bytes())};
    const double values = window * window;
    const double kept = std::floor(values / 2.0) + 2.0;
    double pairs = 0.0;
    for (double size = kept; size >= 3.0; --size) pairs += 2.0 * size - 3.0;
    return {forEachWork(stage.backend, "median", input.count(),
                        {.bytesRead = 4.0 * values,
                         .bytesWritten = 4.0,
                         .distinctRead = 4.0,
                         .counts = {.fadd = 2.0 * pairs, .offsets = 6.0 * values},
                         .divisions = 2.0,
                         .registers = kept + 24.0})};
}

} // namespace

namespace stages {
const StageType& median() {
    static const StageType kType{
        .id = "median",
        .label = "Speckle median",
        .help = "Replaces each pixel by the median of its neighbourhood.",
        .work = medianWork,
        .table = ParamTable::of<MedianParams>()
                     .integer(&MedianParams::window,
                              {.key = "window",
                               .label = "Window",
                               .unit = "px",
                               .min = 1,
                               .max = 9,
                               .step = 2,
                               .help = "Side of the square neighbourhood; 1 changes nothing.",
                               .oddOnly = true})
                     .build(),
        .inputs = {{{DType::F32}, {AxisName::Depth, AxisName::Lateral}, true}},
        .tolerance = {0.0, 0.0},
        .code = codeOf<MedianStage>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
