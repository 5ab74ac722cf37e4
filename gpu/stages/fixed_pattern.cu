// SPDX-License-Identifier: GPL-3.0-or-later
// fixed_pattern: Y[line][z] = X[line][z] - P[z], P the complex mean A-scan of the frame's first
// `lines` lines. Minimum variance: these lines are cut into segments. At each depth the segment
// whose values scatter least around their mean gives P[z], so that structure in some lines counts
// less. Values that are not finite are ignored. A segment counts only where half of its values are
// finite.
#include "gpu/core/complex.hpp"
#include "gpu/core/unroll.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

using oct::FixedPatternParams;

constexpr const char* kFixedPatternId = "fixed_pattern";
constexpr std::int64_t kMostSegments = 64;
constexpr float kInfinite = std::numeric_limits<float>::infinity();

struct alignas(16) SegmentStatistics {
    Complex mean;
    float variance; ///< mean |X - mean|^2; infinite where too few lines are finite
    float count;    ///< number of finite lines
};

/// Statistics of segment i / depths at depth i % depths, in one pass around its first finite value.
struct Survey {
    const Complex* in;
    SegmentStatistics* out;
    std::int64_t depths;
    std::int64_t lines;
    std::int64_t segments;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t segment = i / depths;
        const std::int64_t z = i % depths;
        const std::int64_t first = segment * lines / segments;
        const std::int64_t end = (segment + 1) * lines / segments;
        Complex origin;
        double re = 0.0;
        double im = 0.0;
        double square = 0.0;
        std::int64_t finite = 0;
        ECHOLUX_UNROLL_BY_4
        for (std::int64_t line = first; line < end; ++line) {
            const Complex each = in[line * depths + z];
            if (!oct::isFinite(each)) continue;
            if (finite++ == 0) origin = each;
            const Complex value = each - origin;
            re += value.re;
            im += value.im;
            square += static_cast<double>(norm(value));
        }
        const double count = finite > 0 ? static_cast<double>(finite) : 1.0;
        const double meanRe = re / count;
        const double meanIm = im / count;
        const double variance = square / count - meanRe * meanRe - meanIm * meanIm;
        out[i].mean = origin + Complex{static_cast<float>(meanRe), static_cast<float>(meanIm)};
        out[i].variance = 2 * finite >= end - first ? static_cast<float>(variance) : kInfinite;
        out[i].count = static_cast<float>(finite);
    }
};

struct Choose {
    const SegmentStatistics* statistics;
    Complex* pattern;
    std::int64_t depths;
    std::int64_t segments;
    bool leastVariance;

    ECHOLUX_HD void operator()(std::int64_t z) const {
        Complex sum;
        float count = 0.0F;
        SegmentStatistics best = statistics[z];
        // Few threads run, so each keeps many loads in flight.
        ECHOLUX_UNROLL_BY_16
        for (std::int64_t segment = 0; segment < segments; ++segment) {
            const SegmentStatistics each = statistics[segment * depths + z];
            sum = sum + each.count * each.mean;
            count += each.count;
            if (each.variance < best.variance) best = each;
        }
        const Complex mean = count > 0.0F ? 1.0F / count * sum : sum;
        pattern[z] = leastVariance && best.variance < kInfinite ? best.mean : mean;
    }
};

struct SubtractPattern {
    const Complex* in;
    const Complex* pattern;
    Complex* out;
    std::int64_t depths;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t i = line * depths + z;
        out[i] = in[i] - pattern[z];
    }
};

std::size_t patternBytes(std::int64_t depths) {
    return aligned(static_cast<std::size_t>(depths) * sizeof(Complex));
}

class FixedPattern final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        const std::int64_t depths = oct::linesOf(input).length;
        return {.outputs = {input},
                .workspaceBytes = patternBytes(depths) + oct::patternScratchBytes(depths),
                .mixesBscans = true};
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<FixedPatternParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const std::int64_t frames = input.spec->isEnsemble() ? input.spec->axes.front().size : 1;
        oct::Lines all = oct::linesOf(*input.spec);
        all.count /= frames;
        const std::int64_t lines = oct::firstLines(m_values.lines, all.count);
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* pattern = reinterpret_cast<Complex*>(base);
        for (std::int64_t f = 0; f < frames; ++f) {
            const std::int64_t at = f * all.count * all.length;
            const Complex* in = input.as<Complex>() + at;
            oct::enqueuePattern(exec, in, lines, all.length, m_values,
                                base + patternBytes(all.length), pattern);
            forEachInLines(exec, kFixedPatternId, all.count, all.length,
                           SubtractPattern{in, pattern, output.as<Complex>() + at, all.length});
        }
    }

private:
    FixedPatternParams m_values;
};

ParamTable fixedPatternTable() {
    using P = FixedPatternParams;
    return ParamTable::of<P>()
        .choice(&P::method, {{"mean", "Mean"}, {"minimum_variance", "Minimum-variance mean"}},
                {.key = "method",
                 .label = "Method",
                 .help = "The minimum-variance mean keeps more of flat reflectors that do not "
                         "cross the whole image."})
        .integer(&P::lines, {.key = "lines",
                             .label = "Lines",
                             .min = 0,
                             .max = 65536,
                             .step = 1,
                             .help = "Number of lines, from the frame's first on, that the pattern "
                                     "is taken from; 0: all."})
        .integer(&P::segments, {.key = "segments",
                                .label = "Segments",
                                .min = 1,
                                .max = static_cast<double>(kMostSegments),
                                .step = 1,
                                .help = "Number of parts that the lines are divided into; at each "
                                        "depth the part that varies least is used.",
                                .onlyWith = {"method", "minimum_variance"}})
        .build();
}

/// Parts that the lines are divided into. For the mean, too, only so that many threads share the
/// work.
std::int64_t segmentsOf(const FixedPatternParams& params, std::int64_t lines) {
    const bool leastVariance = params.method == oct::PatternMethod::MinimumVariance;
    return std::min(leastVariance ? params.segments : kMostSegments, lines);
}

/// Counts Survey, Choose and SubtractPattern of each frame. Survey: per line two tests for finite,
/// two differences, their squares and three sums of doubles, which count as floats. Choose: per
/// segment four loads, a weighted sum and a comparison.
std::vector<model::Kernel> fixedPatternWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const Backend backend = stage.backend;
    const auto& values = stage.params.as<FixedPatternParams>();
    const std::int64_t frames = input.isEnsemble() ? input.axes.front().size : 1;
    oct::Lines all = oct::linesOf(input);
    all.count /= frames;
    const std::int64_t lines = oct::firstLines(values.lines, all.count);
    const std::int64_t segments = segmentsOf(values, lines);
    const double each = static_cast<double>(lines) / static_cast<double>(segments);
    const auto parts = static_cast<double>(segments);
    const model::Part survey =
        oneByOne(backend, {.ffma = 1.0, .fmul = 1.0, .fadd = 7.0, .offsets = 11.0});
    const model::Part choose = oneByOne(backend, {.ffma = 2.0, .fadd = 2.0, .offsets = 9.0});
    // Three of doubles, each with about three times the steps of one of floats on CUDA.
    const model::Part means = divisionWork(backend).times(backend == Backend::Cuda ? 9.0 : 3.0);
    std::vector<model::Kernel> kernels;
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        kernels.push_back(forEachWork(backend, kFixedPatternId, segments * all.length,
                                      {.bytesRead = sizeof(Complex) * each,
                                       .bytesWritten = sizeof(SegmentStatistics),
                                       .counts = addedUp({survey.times(each), means}),
                                       .divisions = 3.0}));
        kernels.push_back(
            forEachWork(backend, kFixedPatternId, all.length,
                        {.bytesRead = sizeof(SegmentStatistics) * parts,
                         .bytesWritten = sizeof(Complex),
                         .counts = addedUp({choose.times(parts), divisionWork(backend)})}));
        kernels.push_back(forEachInLinesWork(backend, kFixedPatternId, all.count * all.length,
                                             {.bytesRead = 2.0 * sizeof(Complex),
                                              .bytesWritten = sizeof(Complex),
                                              .distinctRead = sizeof(Complex),
                                              .counts = {.fadd = 2.0}}));
    }
    return kernels;
}

} // namespace

namespace oct {

std::size_t patternScratchBytes(std::int64_t depths) {
    return static_cast<std::size_t>(kMostSegments * depths) * sizeof(SegmentStatistics);
}

void enqueuePattern(const Exec& exec, const Complex* in, std::int64_t lines, std::int64_t depths,
                    const FixedPatternParams& params, void* scratch, Complex* pattern) {
    const bool leastVariance = params.method == oct::PatternMethod::MinimumVariance;
    const std::int64_t segments = segmentsOf(params, lines);
    auto* statistics = static_cast<SegmentStatistics*>(scratch);
    forEach(exec, kFixedPatternId, segments * depths,
            Survey{in, statistics, depths, lines, segments});
    forEach(exec, kFixedPatternId, depths,
            Choose{statistics, pattern, depths, segments, leastVariance});
}

} // namespace oct

namespace stages {
const StageType& fixed_pattern() {
    static const StageType kType{
        .id = kFixedPatternId,
        .label = "Fixed pattern",
        .help = "Subtracts the part that all A-scans share; flat reflectors are removed with it.",
        .work = fixedPatternWork,
        .table = fixedPatternTable(),
        .inputs = {orBands({{DType::ComplexF32}, {AxisName::Lateral, AxisName::Depth}, true})},
        .tolerance = {1e-5, 1e-6},
        .code = codeOf<FixedPattern>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
