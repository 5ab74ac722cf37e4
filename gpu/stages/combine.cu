// SPDX-License-Identifier: GPL-3.0-or-later
// combine: one image from delayed channel data s_i(p), in other ways than their sum D = sum s_i.
// Channels count where they are not zero: beamform writes zeros outside the aperture. With n of
// them, phases phi_i and image = D ((1 - blend) + blend w^exponent):
//   coherence factor     w = |D|^2 / (n sum |s_i|^2)                    Mallart and Fink 1994
//   generalized          w = (energy of the spatial frequencies -M0 to M0) / (that of all), by a
//                        DFT over the channels                          Li and Li 2003
//   phase coherence      w = 1 - sqrt(3)/pi min(std phi_i, std phi'_i) >= 0, phi' = phi -+ pi
//   circular coherence   w = 1 - sqrt(var cos phi_i + var sin phi_i)
//   sign coherence       w = 1 - sqrt(1 - (mean of sign Re s_i)^2)      all three Camacho 2009
//   short-lag coherence  w = mean over lags m = 1 to `lags` of the mean over pairs (i, i + m) of
//                        their correlation over `rows` rows, Re s_i, no mean taken off
//                                                                       Lediju 2011
// The image takes w >= 0. `minimum_variance` (Synnevag, Austeng and Holm 2009) replaces D by n
// (mean over subarrays x_l of w^H x_l), w = R^-1 1 / (1^T R^-1 1), with R the mean of x_l x_l^H
// over the subarrays and over rows, plus `loading` times the mean of its diagonal on the diagonal.
// `multiply` (delay, multiply and sum, Matrone 2015) has no weight: of order q, with y_i = s_i
// |s_i|^(1/q - 1), it is the sum of the products of all sets of q channels, times n / (number of
// sets), so that equal channels give D. Its carrier is q times that of D; analytic samples have no
// other products, and so need no band-pass.
#include "gpu/core/error.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/combine_minimum_variance.hpp"
#include "gpu/stages/combine_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kCombineId = "combine";

channels::CombineShape combineShapeOf(const FrameSpec& input, const CombineParams& values) {
    const std::int64_t channels = input.axes.front().size;
    return {channels, input.count() / channels, input.sizeOf(AxisName::Depth),
            input.sizeOf(AxisName::Lateral), values.rows / 2};
}

template <class Value, Combining kMethod>
ECHOLUX_HD float weightOf(const channels::PixelChannels<Value>& pixel,
                          const channels::CombineNumbers& numbers, const float* shortLag) {
    if constexpr (kMethod == Combining::Coherence) return channels::coherenceOf(pixel, numbers);
    if constexpr (kMethod == Combining::Generalized) return channels::generalizedOf(pixel, numbers);
    if constexpr (kMethod == Combining::Phase) return channels::phaseOf(pixel, numbers);
    if constexpr (kMethod == Combining::Circular) return channels::circularOf(pixel, numbers);
    if constexpr (kMethod == Combining::Sign) return channels::signOf(pixel, numbers);
    if constexpr (kMethod == Combining::ShortLag) return *shortLag;
    return 1.0F;
}

template <class Value, Combining kMethod> struct CombineChannels {
    const Value* in;
    Value* image;
    float* weight;
    const float* shortLag; ///< per pixel
    channels::MinimumVariance minimumVariance;
    channels::CombineShape shape;
    channels::CombineNumbers numbers;

    ECHOLUX_HD void operator()(std::int64_t pixel) const {
        const channels::PixelChannels<Value> heard{in + pixel, shape.channels, shape.pixels};
        const float own = weightOf<Value, kMethod>(
            heard, numbers, shortLag != nullptr ? shortLag + pixel : nullptr);
        if (weight != nullptr) weight[pixel] = own;
        if (image == nullptr) return;
        Value sum{};
        for (std::int64_t i = 0; i < heard.count; ++i) sum = das::sumOf(sum, heard[i]);
        const float blend = numbers.blend;
        if constexpr (kMethod == Combining::MinimumVariance) {
            image[pixel] = (1.0F - blend) * sum + blend * minimumVariance(pixel);
        } else if constexpr (kMethod == Combining::Multiply) {
            image[pixel] =
                (1.0F - blend) * sum + blend * channels::multiplied(heard, numbers.order);
        } else {
            float factor = channels::notNegative(own);
            if (numbers.exponent != 1.0F) factor = powf(factor, numbers.exponent);
            image[pixel] = std::fma(blend, factor - 1.0F, 1.0F) * sum;
        }
    }
};

/// Where the parts of the workspace of short lags begin.
struct ShortLagMemory {
    std::size_t norms = 0;
    std::size_t weights;
    std::size_t bytes;

    explicit ShortLagMemory(const channels::CombineShape& shape)
        : weights(aligned(static_cast<std::size_t>(shape.channels * shape.pixels) * sizeof(float))),
          bytes(weights + aligned(static_cast<std::size_t>(shape.pixels) * sizeof(float))) {}
};

class CombineStage final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto& values = params.as<CombineParams>();
        check(input, values);
        FrameSpec image = input;
        image.axes.erase(image.axes.begin());
        FrameSpec weight = image;
        weight.dtype = DType::F32;
        weight.demodulationFrequencyHz = 0.0;
        weight.valueKind = ValueKind::Plain;
        weight.valueRange = {0.0, 1.0, "", ""};
        StagePlan plan{.outputs = {image, weight}};
        if (values.method == Combining::ShortLag)
            plan.workspaceBytes = ShortLagMemory(combineShapeOf(input, values)).bytes;
        return plan;
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<CombineParams>();
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        isComplex(inputs[0].spec->dtype) ? choose<Complex>(exec, inputs[0], outputs, workspace)
                                         : choose<float>(exec, inputs[0], outputs, workspace);
    }

private:
    static void check(const FrameSpec& input, const CombineParams& values) {
        const bool needsPhases =
            values.method == Combining::Phase || values.method == Combining::Circular ||
            values.method == Combining::Multiply || values.method == Combining::MinimumVariance;
        if (needsPhases && !isComplex(input.dtype)) {
            throw Error(fmt::format(
                "Stage 'combine': this method needs phases, but what reaches the stage is {}; put "
                "'analytic' before 'beamform', or choose the coherence factor.",
                input.describe()));
        }
        const bool needsNeighbours = values.method == Combining::Generalized ||
                                     values.method == Combining::ShortLag ||
                                     values.method == Combining::MinimumVariance;
        if (needsNeighbours && input.find(AxisName::Elevation) != nullptr) {
            throw Error(
                "Stage 'combine': this method compares neighbours along a line of elements, "
                "and the channels of a volume are a surface; choose the coherence factor, "
                "or phase, circular or sign coherence.");
        }
        if (values.method == Combining::ShortLag && values.lags >= input.axes.front().size) {
            throw Error(
                fmt::format("Stage 'combine': 'lags' = {} needs more than as many channels, "
                            "but there are {}; lower it.",
                            values.lags, input.axes.front().size));
        }
    }

    template <class Value> void choose(const Exec& exec, const ConstTensorView& input,
                                       std::span<const TensorView> outputs,
                                       const Workspace& workspace) const {
        const auto run = [&]<Combining kMethod>() {
            compute<Value, kMethod>(exec, input, outputs, workspace);
        };
        switch (m_values.method) {
        case Combining::Sum: return run.template operator()<Combining::Sum>();
        case Combining::Coherence: return run.template operator()<Combining::Coherence>();
        case Combining::Generalized: return run.template operator()<Combining::Generalized>();
        case Combining::Sign: return run.template operator()<Combining::Sign>();
        case Combining::ShortLag: return run.template operator()<Combining::ShortLag>();
        default: break;
        }
        if constexpr (std::is_same_v<Value, Complex>) {
            if (m_values.method == Combining::Phase)
                return run.template operator()<Combining::Phase>();
            if (m_values.method == Combining::Circular)
                return run.template operator()<Combining::Circular>();
            if (m_values.method == Combining::MinimumVariance)
                return run.template operator()<Combining::MinimumVariance>();
            run.template operator()<Combining::Multiply>();
        }
    }

    template <class Value, Combining kMethod>
    void compute(const Exec& exec, const ConstTensorView& input,
                 std::span<const TensorView> outputs, const Workspace& workspace) const {
        const channels::CombineShape shape = combineShapeOf(*input.spec, m_values);
        float* shortLag = nullptr;
        if constexpr (kMethod == Combining::ShortLag) {
            const ShortLagMemory memory(shape);
            auto* base = static_cast<std::byte*>(workspace.data);
            auto* norms = reinterpret_cast<float*>(base + memory.norms);
            shortLag = reinterpret_cast<float*>(base + memory.weights);
            forEach(exec, kCombineId, shape.channels * shape.pixels,
                    channels::InverseNorms<Value>{input.as<Value>(), norms, shape});
            forEach(exec, kCombineId, shape.pixels,
                    channels::ShortLags<Value>{input.as<Value>(), norms, shortLag, shape,
                                               static_cast<int>(m_values.lags)});
        }
        const channels::CombineNumbers numbers{
            static_cast<int>(m_values.lowBins), m_values.spectrum == SpectrumOf::Array,
            static_cast<int>(m_values.order), static_cast<float>(m_values.exponent),
            static_cast<float>(m_values.blend)};
        channels::MinimumVariance minimumVariance{};
        if constexpr (kMethod == Combining::MinimumVariance) {
            minimumVariance = {input.as<Complex>(),
                               shape,
                               m_values.averagedRows / 2,
                               static_cast<float>(m_values.subarray),
                               static_cast<float>(m_values.loading),
                               m_values.backwards};
        }
        forEach(exec, kCombineId, shape.pixels,
                CombineChannels<Value, kMethod>{input.as<Value>(), outputs[0].as<Value>(),
                                                outputs[1].as<float>(), shortLag, minimumVariance,
                                                shape, numbers});
    }

    CombineParams m_values;
};

/// Counts the loops over channels: per channel a load, a square and an addition for the sum and
/// power, and what the method does besides. Roots, powers and arcs are special functions.
model::Part combinePart(const CombineParams& values, double reals) {
    model::Part part{.ffma = reals, .fadd = 1.0 + 2.0 * reals, .offsets = 4.0};
    switch (values.method) {
    case Combining::Generalized: {
        const auto bins = static_cast<double>(values.lowBins);
        part.ffma += 24.0 * bins;
        part.fmul += 10.0 * bins;
        part.fadd += 6.0 * bins;
        break;
    }
    case Combining::Phase: part.ffma += 16.0, part.special += 1.0, part.fadd += 6.0; break;
    case Combining::Circular: part.ffma += 2.0, part.special += 1.0, part.fadd += 4.0; break;
    case Combining::Multiply:
        part.special += 2.0, part.ffma += 4.0 * static_cast<double>(values.order);
        break;
    default: break;
    }
    return part;
}

std::vector<model::Kernel> combineWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto& values = stage.params.as<CombineParams>();
    const channels::CombineShape shape = combineShapeOf(input, values);
    const double bytes = bytesPerSample(input);
    const auto channels = static_cast<double>(shape.channels);
    const auto rows = static_cast<double>(values.rows);
    std::vector<model::Kernel> kernels;
    if (values.method == Combining::ShortLag) {
        kernels.push_back(
            forEachWork(stage.backend, kCombineId, shape.channels * shape.pixels,
                        {.bytesRead = rows * bytes,
                         .bytesWritten = 4.0,
                         .distinctRead = bytes,
                         .counts = oneByOne(stage.backend,
                                            {.ffma = rows, .special = 2.0, .offsets = 3.0 * rows}),
                         .divisions = 2.0}));
        const double pairs = channels * static_cast<double>(values.lags);
        kernels.push_back(
            forEachWork(stage.backend, kCombineId, shape.pixels,
                        {.bytesRead = pairs * (2.0 * rows * bytes + 8.0),
                         .bytesWritten = 4.0,
                         .distinctRead = channels * (bytes + 4.0),
                         .counts = oneByOne(stage.backend, {.ffma = pairs * (rows + 1.0),
                                                            .fmul = pairs,
                                                            .fadd = pairs,
                                                            .offsets = 5.0 * pairs * rows}),
                         .divisions = 2.0 * pairs}));
    }
    const double loops = stage.wants(0) ? 2.0 : 1.0;
    const model::Part each = combinePart(values, bytes / 4.0);
    const double imageBytes = stage.wants(0) ? bytes : 0.0;
    model::Part counts{.ffma = loops * channels * each.ffma,
                       .fmul = channels * each.fmul,
                       .fadd = loops * channels * each.fadd,
                       .special = channels * each.special,
                       .offsets = loops * channels * each.offsets};
    if (values.method == Combining::MinimumVariance && stage.wants(0)) {
        // The sliding sums of each row, Cholesky's factors, and two solutions.
        const double size = std::clamp(values.subarray * channels, 1.0,
                                       static_cast<double>(channels::kMostSubarray));
        const double terms = size * (channels - size + 1.0) + size * size;
        const double averaged = static_cast<double>(values.averagedRows) * terms;
        counts.ffma += 4.0 * averaged + 2.0 / 3.0 * size * size * size + 8.0 * size * size;
        counts.special += 2.0 * size;
        counts.offsets += 4.0 * averaged;
    }
    kernels.push_back(forEachWork(stage.backend, kCombineId, shape.pixels,
                                  {.bytesRead = loops * channels * bytes,
                                   .bytesWritten = imageBytes + (stage.wants(1) ? 4.0 : 0.0),
                                   .distinctRead = channels * bytes,
                                   .counts = oneByOne(stage.backend, counts)}));
    return kernels;
}

} // namespace

namespace stages {
const StageType& combine() {
    static const StageType kType{
        .id = kCombineId,
        .label = "Combine channels",
        .help = "From delayed channel data to an image: coherence factors, short-lag coherence, "
                "multiply and sum, minimum variance.",
        .work = combineWork,
        .table = combineTable(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Channel, AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Channel, AxisName::Elevation, AxisName::Depth,
                                   AxisName::Lateral}}}},
        .outputs = {{kOutputPort},
                    {"weight", "Weight of each pixel before its power is taken, 1 for agreeing "
                               "channels. Of short-lag coherence it is the image that the method "
                               "was published for."}},
        .bypassable = false,
        .tolerance = {2e-3, 0.0}, // of a covariance that is hardly loaded
        .form = RecordedForm::Beamformed,
        .code = codeOf<CombineStage>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
