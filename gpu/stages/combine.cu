// SPDX-License-Identifier: GPL-3.0-or-later
// combine: one image from delayed channel data s_i(p), in other ways than their sum D = sum s_i.
// The terms of the sum are those of the channels, of the transmits (low-resolution images), or of
// all pairs of both: what USTB calls the receive and transmit dimension, and both. "Channels" are
// any of them here. They count where they are not zero: beamform writes zeros outside the aperture,
// and for transmits that are switched off or do not reach a pixel. With n of them, phases phi_i and
// image = D ((1 - blend) + blend w^exponent):
//   coherence factor     w = |D|^2 / (n sum |s_i|^2)                    Mallart and Fink 1994
//   generalized          w = (energy of the spatial frequencies -M0 to M0) / (that of all), by a
//                        DFT over the channels                          Li and Li 2003
//   phase coherence      w = 1 - sqrt(3)/pi min(std phi_i, std phi'_i) >= 0, phi' = phi -+ pi
//   circular coherence   w = 1 - sqrt(var cos phi_i + var sin phi_i)
//   sign coherence       w = 1 - sqrt(1 - (mean of sign Re s_i)^2)      all three Camacho 2009
//   short-lag coherence  w = mean over lags m = 1 to `lags` of the mean over pairs (i, i + m) of
//                        their correlation over `rows` rows, Re s_i, no mean taken off
//                                                                       Lediju 2011
// On a matrix array, frequencies, lags (|m| <= `lags`) and subarrays have two dimensions.
// The image takes w >= 0. `minimum_variance` (Synnevag, Austeng and Holm 2009) replaces D by n
// (mean over subarrays x_l of w^H x_l), w = R^-1 1 / (1^T R^-1 1), with R the mean of x_l x_l^H
// over the subarrays and over rows, plus `loading` times the mean of its diagonal on the diagonal.
// With an `eigenspace` w is projected on the strongest eigenvectors of R (combine_eigenspace.hpp).
// `multiply` (delay, multiply and sum, Matrone 2015) has no weight: of order q, with y_i = s_i
// |s_i|^(1/q - 1), it is the sum of the products of all sets of q channels, times n / (number of
// sets), so that equal channels give D. Its carrier is q times that of D; analytic samples have no
// other products, and so need no band-pass.
#include "gpu/core/error.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/combine_eigenspace.hpp"
#include "gpu/stages/combine_minimum_variance.cuh"
#include "gpu/stages/combine_short_lags.cuh"
#include "gpu/stages/combine_table.hpp"
#include "gpu/stages/combine_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kCombineId = "combine";

/// How many axes of terms stand before those of the image.
std::int64_t termAxesOf(const FrameSpec& input) {
    const auto isTerm = [](const Axis& axis) {
        return axis.name == AxisName::Transmit || axis.name == AxisName::Channel;
    };
    return std::ranges::count_if(input.axes, isTerm);
}

channels::CombineShape combineShapeOf(const FrameSpec& input, const CombineParams& values) {
    std::int64_t terms = 1;
    for (std::int64_t i = 0; i < termAxesOf(input); ++i)
        terms *= input.axes[static_cast<std::size_t>(i)].size;
    const bool inLines = input.termsPerLine > 0 && terms % input.termsPerLine == 0;
    return {terms,
            input.count() / terms,
            input.sizeOf(AxisName::Depth),
            input.sizeOf(AxisName::Lateral),
            values.rows / 2,
            inLines ? input.termsPerLine : terms};
}

/// A method compares neighbours along as many channels.
std::int64_t longestOf(const channels::CombineShape& shape) {
    return std::max(shape.perLine, shape.lines());
}

Params combineDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.axes.empty()) return params;
    auto& values = params.as<CombineParams>();
    const channels::CombineShape shape = combineShapeOf(input, values);
    const std::int64_t tenth = std::max<std::int64_t>(longestOf(shape) / 10, 2);
    const std::int64_t most = shape.isGrid() ? tenth : values.lags;
    values.lags = std::clamp<std::int64_t>(longestOf(shape) - 1, 1, most);
    return params;
}

template <class Value, Combining kMethod>
ECHOLUX_HD channels::Agreement<Value> agreementOf(const channels::PixelChannels<Value>& pixel,
                                                  const channels::CombineNumbers& numbers,
                                                  const float* shortLag) {
    if constexpr (kMethod == Combining::Coherence) return channels::coherenceOf(pixel);
    if constexpr (kMethod == Combining::Generalized) return channels::generalizedOf(pixel, numbers);
    if constexpr (kMethod == Combining::Phase) return channels::phaseOf(pixel);
    if constexpr (kMethod == Combining::Circular) return channels::circularOf(pixel);
    if constexpr (kMethod == Combining::Sign) return channels::signOf(pixel);
    return {channels::sumOf(pixel), shortLag != nullptr ? *shortLag : 1.0F};
}

/// Writes a pixel's weight and the sum that it weighs; null: not wanted.
template <class Value> ECHOLUX_HD void weigh(const channels::Agreement<Value>& own,
                                             const channels::CombineNumbers& numbers,
                                             std::int64_t pixel, Value* image, float* weight) {
    if (weight != nullptr) weight[pixel] = own.weight;
    if (image == nullptr) return;
    float factor = channels::notNegative(own.weight);
    if (numbers.exponent != 1.0F) factor = powf(factor, numbers.exponent);
    image[pixel] = std::fma(numbers.blend, factor - 1.0F, 1.0F) * own.sum;
}

template <class Value, Combining kMethod> struct CombineChannels {
    const Value* in;
    Value* image;
    float* weight;
    const float* shortLag; ///< per pixel
    channels::CombineShape shape;
    channels::CombineNumbers numbers;

    ECHOLUX_HD void operator()(std::int64_t pixel) const {
        const channels::PixelChannels<Value> heard{in + pixel, shape.channels, shape.pixels};
        weigh(agreementOf<Value, kMethod>(heard, numbers,
                                          shortLag != nullptr ? shortLag + pixel : nullptr),
              numbers, pixel, image, weight);
    }
};

/// Generalized coherence of a matrix array.
template <class Value> struct CombineGrid {
    const Value* in;
    Value* image;
    float* weight;
    channels::CombineShape shape;
    channels::CombineNumbers numbers;

    ECHOLUX_HD void operator()(std::int64_t pixel) const {
        const channels::PixelChannels<Value> heard{in + pixel, shape.channels, shape.pixels};
        weigh(channels::generalizedOnGrid(heard, shape.perLine, numbers), numbers, pixel, image,
              weight);
    }
};

template <bool kPairs> struct MultiplyChannels {
    const Complex* in;
    Complex* image;
    channels::CombineShape shape;
    channels::CombineNumbers numbers;

    ECHOLUX_HD void operator()(std::int64_t pixel) const {
        const channels::Products own =
            channels::multiplied<kPairs>({in + pixel, shape.channels, shape.pixels}, numbers.order);
        image[pixel] = (1.0F - numbers.blend) * own.sum + numbers.blend * own.image;
    }
};

/// Minimum variance on the host.
struct VarianceOfChannels {
    channels::MinimumVariance plain;
    Complex* image;
    float blend;

    void operator()(std::int64_t pixel) const {
        image[pixel] = (1.0F - blend) * channels::sumOf(plain.rowAt(pixel, 0)) +
                       blend * (plain.eigenspace > 0.0F ? inEigenspace(pixel) : plain(pixel));
    }

private:
    Complex inEigenspace(std::int64_t pixel) const {
        channels::EigenspaceMemory memory;
        return channels::EigenspaceVariance{plain}(OneThread{}, pixel, memory.room());
    }
};

struct WholeWeight {
    float* weight;
    ECHOLUX_HD void operator()(std::int64_t pixel) const { weight[pixel] = 1.0F; }
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
        check(input, values, std::get<std::string>(params.get("method")));
        FrameSpec image = input;
        image.axes.erase(image.axes.begin(), image.axes.begin() + termAxesOf(input));
        image.termsPerLine = 0;
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
    static void check(const FrameSpec& input, const CombineParams& values,
                      const std::string& method) {
        const bool needsPhases =
            values.method == Combining::Phase || values.method == Combining::Circular ||
            values.method == Combining::Multiply || values.method == Combining::MinimumVariance;
        if (needsPhases && !isComplex(input.dtype)) {
            throw Error(fmt::format(
                "Stage 'combine': 'method' = {} needs phases, but what reaches the stage is {}; "
                "put "
                "'analytic' or 'iq_demod' before 'beamform', or choose the coherence factor.",
                method, input.describe()));
        }
        const bool needsNeighbours = values.method == Combining::Generalized ||
                                     values.method == Combining::ShortLag ||
                                     values.method == Combining::MinimumVariance;
        if (needsNeighbours && termAxesOf(input) > 1) {
            throw Error(fmt::format(
                "Stage 'combine': 'method' = {} compares neighbours along a line, and pairs of "
                "transmits and channels have none; link 'delayed@beamform' or "
                "'transmits@beamform' to the stage, or choose the coherence factor, phase, "
                "circular or sign coherence, or multiply.",
                method));
        }
        const std::string_view term = nameOf(input.axes.front().name);
        if (needsNeighbours && input.termsPerLine == 0 &&
            input.find(AxisName::Elevation) != nullptr) {
            throw Error(fmt::format(
                "Stage 'combine': 'method' = {} compares neighbours, and the {}s of this volume "
                "stand neither in a line nor on a full grid; choose the coherence factor, phase, "
                "circular or sign coherence, or multiply.",
                method, term));
        }
        const std::int64_t longest = longestOf(combineShapeOf(input, values));
        if (values.method == Combining::ShortLag && values.lags >= longest) {
            throw Error(fmt::format("Stage 'combine': 'lags' = {} needs more than as many {}s in "
                                    "a line, but there are {}; lower it.",
                                    values.lags, term, longest));
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
            if (m_values.method == Combining::MinimumVariance) return vary(exec, input, outputs);
            multiply(exec, input, outputs);
        }
    }

    channels::CombineNumbers numbers() const {
        return {static_cast<int>(m_values.lowBins), m_values.spectrum == SpectrumOf::Array,
                static_cast<int>(m_values.order), static_cast<float>(m_values.exponent),
                static_cast<float>(m_values.blend)};
    }

    template <class Value, Combining kMethod>
    void compute(const Exec& exec, const ConstTensorView& input,
                 std::span<const TensorView> outputs, const Workspace& workspace) const {
        const channels::CombineShape shape = combineShapeOf(*input.spec, m_values);
        if constexpr (kMethod == Combining::Generalized) {
            if (shape.isGrid()) {
                return forEach(exec, kCombineId, shape.pixels,
                               CombineGrid<Value>{input.as<Value>(), outputs[0].as<Value>(),
                                                  outputs[1].as<float>(), shape, numbers()});
            }
        }
        float* shortLag = nullptr;
        if constexpr (kMethod == Combining::ShortLag) {
            const ShortLagMemory memory(shape);
            auto* base = static_cast<std::byte*>(workspace.data);
            shortLag = reinterpret_cast<float*>(base + memory.weights);
            compare<Value>(
                exec, reinterpret_cast<float*>(base + memory.norms),
                {input.as<Value>(), nullptr, shortLag, shape, static_cast<int>(m_values.lags)});
        }
        forEach(exec, kCombineId, shape.pixels,
                CombineChannels<Value, kMethod>{input.as<Value>(), outputs[0].as<Value>(),
                                                outputs[1].as<float>(), shortLag, shape,
                                                numbers()});
    }

    template <class Value>
    static void compare(const Exec& exec, float* norms, channels::ShortLags<Value> task) {
        task.inverseNorm = norms;
        const channels::CombineShape& shape = task.shape;
#if defined(__CUDACC__)
        const bool isPlane = shape.pixels == shape.depths * shape.laterals;
        if (exec.backend == Backend::Cuda && isPlane && !shape.isGrid())
            return channels::launchShortLags(exec, kCombineId, norms, task);
#endif
        forEach(exec, kCombineId, shape.channels * shape.pixels,
                channels::InverseNorms<Value>{task.in, norms, shape});
        forEach(exec, kCombineId, shape.pixels, task);
    }

    void multiply(const Exec& exec, const ConstTensorView& input,
                  std::span<const TensorView> outputs) const {
        const channels::CombineShape shape = combineShapeOf(*input.spec, m_values);
        weighWholly(exec, shape.pixels, outputs[1]);
        if (outputs[0].data == nullptr) return;
        const auto run = [&]<bool kPairs>() {
            forEach(exec, kCombineId, shape.pixels,
                    MultiplyChannels<kPairs>{input.as<Complex>(), outputs[0].as<Complex>(), shape,
                                             numbers()});
        };
        m_values.order == 2 ? run.template operator()<true>() : run.template operator()<false>();
    }

    void vary(const Exec& exec, const ConstTensorView& input,
              std::span<const TensorView> outputs) const {
        const channels::CombineShape shape = combineShapeOf(*input.spec, m_values);
        weighWholly(exec, shape.pixels, outputs[1]);
        if (outputs[0].data == nullptr) return;
        const channels::MinimumVariance plain{input.as<Complex>(),
                                              shape,
                                              m_values.averagedRows / 2,
                                              static_cast<float>(m_values.subarray),
                                              static_cast<float>(m_values.loading),
                                              static_cast<float>(m_values.eigenspace),
                                              m_values.backwards};
        auto* image = outputs[0].as<Complex>();
        const auto blend = static_cast<float>(m_values.blend);
#if defined(__CUDACC__)
        if (exec.backend == Backend::Cuda)
            return channels::launchMinimumVariance(exec, kCombineId, plain, image, blend);
#endif
        host::eachIndex(shape.pixels, VarianceOfChannels{plain, image, blend});
    }

    /// These methods have no weight.
    static void weighWholly(const Exec& exec, std::int64_t pixels, const TensorView& weight) {
        if (weight.data != nullptr)
            forEach(exec, kCombineId, pixels, WholeWeight{weight.as<float>()});
    }

    CombineParams m_values;
};

std::vector<model::Kernel> combineWork(const PlannedStage& stage) {
    return combineKernels(stage, kCombineId,
                          combineShapeOf(stage.inputs[0], stage.params.as<CombineParams>()));
}

/// Takes the outputs `delayed`, `transmits` and `pairs` of beamform, of images and of volumes.
Port combinePort() {
    constexpr AxisName kT = AxisName::Transmit;
    constexpr AxisName kC = AxisName::Channel;
    constexpr AxisName kE = AxisName::Elevation;
    constexpr AxisName kD = AxisName::Depth;
    constexpr AxisName kL = AxisName::Lateral;
    return {.dtypes = {DType::F32, DType::ComplexF32},
            .axes = {kC, kD, kL},
            .otherAxes = {{kT, kD, kL},
                          {kT, kC, kD, kL},
                          {kC, kE, kD, kL},
                          {kT, kE, kD, kL},
                          {kT, kC, kE, kD, kL}}};
}

} // namespace

namespace stages {
const StageType& combine() {
    static const StageType kType{
        .id = kCombineId,
        .label = "Combine channels",
        .help = "From delayed channel data, or the images of transmits, to one image: coherence "
                "factors, short-lag coherence, multiply and sum, minimum variance.",
        .work = combineWork,
        .table = combineTable(),
        .inputs = {combinePort()},
        .outputs = {{kOutputPort},
                    {"weight", "Weight of each pixel before its power is taken, 1 for agreeing "
                               "channels. Of short-lag coherence it is the image that the method "
                               "was published for."}},
        .bypassable = false,
        .tolerance = {2e-3, 0.0}, // of a covariance that is hardly loaded
        .form = RecordedForm::Beamformed,
        .defaults = combineDefaults,
        .code = codeOf<CombineStage>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
