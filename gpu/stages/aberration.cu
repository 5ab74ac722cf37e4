// SPDX-License-Identifier: GPL-3.0-or-later
// aberration: estimates how layers with other speeds of sound change the echoes of each element, as
// one delay and one amplitude (Herikstad 2009; formulas: gpu/aberration). It estimates from a
// region of the image at every n-th frame. Frames between repeat the last result. This stage
// corrects nothing: `aberration_correction` takes the results, of this frame or of the previous
// one.
#include "gpu/stages/aberration.hpp"

#include "gpu/aberration/estimate_work.hpp"
#include "gpu/aberration/estimator.hpp"
#include "gpu/aberration/focus.hpp"
#include "gpu/aberration/per_element.hpp"
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_shown.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/exec/reduce.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/aberration_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

using aberration::Figure;
using aberration::kFigures;

aberration::FocusParams focusOfPatch(const AberrationParams& params, std::int64_t patch) {
    aberration::FocusParams one = params;
    const auto patches = static_cast<double>(params.patches);
    one.widthM = params.widthM / patches;
    one.lateralM += one.widthM * (static_cast<double>(patch) + 0.5 - 0.5 * patches);
    one.points = std::max<std::int64_t>(params.points / params.patches, 1);
    return one;
}

namespace {

constexpr const char* kAberrationId = "aberration";
constexpr std::size_t kScaleFloats = 1 + kReducePartials;

/// The layout of what a frame leaves to the next, in floats. Patch follows patch; each begins with
/// its phases.
struct Past {
    std::int64_t places = 0;
    std::int64_t elements = 0;

    std::int64_t delay() const { return places; }
    std::int64_t amplitude() const { return delay() + elements; }
    std::int64_t coherence() const { return amplitude() + elements; }
    std::int64_t figures() const { return coherence() + elements; }
    std::int64_t count() const { return figures() + kFigures; }
};

} // namespace

std::optional<aberration::Estimate> estimateIn(std::span<const std::byte> state,
                                               const aberration::ElementGrid& grid,
                                               std::int64_t patches, std::int64_t patch) {
    const Past past{grid.places(), static_cast<std::int64_t>(grid.elements())};
    const auto bytes = static_cast<std::size_t>(past.count()) * sizeof(float);
    if (patch < 0 || patch >= patches || state.size() != static_cast<std::size_t>(patches) * bytes)
        return std::nullopt;
    std::vector<float> values(static_cast<std::size_t>(past.count()));
    std::memcpy(values.data(), state.data() + static_cast<std::size_t>(patch) * bytes, bytes);
    const auto perElement = [&](std::int64_t first) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(past.elements));
    };
    aberration::Estimate estimate;
    estimate.filter = {perElement(past.delay()), perElement(past.amplitude()),
                       perElement(past.coherence())};
    aberration::takeFigures(estimate, std::span(values).last(kFigures));
    return estimate;
}

namespace {

struct GrowOlder {
    float* age;

    ECHOLUX_HD void operator()(std::int64_t) const { *age += 1.0F; }
};

struct Power {
    const Complex* spectra;

    ECHOLUX_HD float operator()(std::int64_t i) const {
        const float power = norm(spectra[i]);
        return power < 1e30F ? power : 0.0F;
    }
};

struct Greater {
    ECHOLUX_HD float operator()(float a, float b) const { return a > b ? a : b; }
};

struct ToUsualScale {
    Complex* spectra;
    const float* greatest; ///< greatest power

    ECHOLUX_HD void operator()(std::int64_t i) const {
        if (*greatest > 0.0F)
            spectra[i] = (aberration::kUsualMagnitude / std::sqrt(*greatest)) * spectra[i];
    }
};

class Aberration final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto& p = params.as<AberrationParams>();
        const aberration::Estimator estimator = estimatorOf(input, p);
        for (std::int64_t patch = 0; patch < p.patches; ++patch)
            aberration::checkFocus(input, focusOfPatch(p, patch));
        const Past past = pastOf(estimator);
        StagePlan plan;
        const FrameSpec ofElements = aberration::amplitudesPerElement(p.patches, past.elements);
        FrameSpec figures = ofElements;
        figures.axes[1] = {AxisName::Sample, kFigures, 1.0, 0.0, ""};
        plan.outputs = {aberration::delaysPerElement(p.patches, past.elements), ofElements,
                        ofElements, figures};
        plan.workspaceBytes =
            spectraBytes(estimator) + estimator.scratchBytes() + kScaleFloats * sizeof(float);
        plan.stateBytes = static_cast<std::size_t>(p.patches * past.count()) * sizeof(float);
        plan.heldBytes =
            static_cast<std::size_t>(p.patches) *
            (estimator.tableBytes() +
             aberration::Focus(input, estimator.grid(), focusOfPatch(p, 0)).heldBytes());
        plan.countsFrames = p.every > 1;
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&,
                 const Params& params) override {
        const auto& p = params.as<AberrationParams>();
        m_patches.clear();
        m_estimator = estimatorOf(inputs[0], p);
        m_tables = Buffer(computeMemory(exec.backend), m_estimator.tableBytes());
        m_estimator.prepare(exec, m_tables.data());
        for (std::int64_t patch = 0; patch < p.patches; ++patch) {
            m_patches.emplace_back(inputs[0], m_estimator.grid(), focusOfPatch(p, patch));
            m_patches.back().allocate(exec);
        }
    }

    void update(const Exec& exec, const Params& params) override {
        const auto& p = params.as<AberrationParams>();
        m_estimator.set(p);
        m_method = p.method;
        m_every = p.every;
        m_warmStart = p.warmStart;
        m_firstSinceEdit = -1;
        for (std::size_t i = 0; i < m_patches.size(); ++i)
            m_patches[i].set(exec, focusOfPatch(p, static_cast<std::int64_t>(i)));
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const bool due = isDue(workspace);
        const Past past = pastOf(m_estimator);
        for (std::size_t i = 0; i < m_patches.size(); ++i) {
            const auto offset = static_cast<std::int64_t>(i) * past.count();
            const auto* before = static_cast<const float*>(workspace.past);
            auto* next = static_cast<float*>(workspace.next) + offset;
            if (before != nullptr) before += offset;
            const bool fromBeside = m_warmStart == WarmStart::Neighbour && i > 0;
            const float* start = m_warmStart == WarmStart::None ? nullptr
                                 : fromBeside                   ? next - past.count()
                                                                : before;
            due ? estimate(exec, m_patches[i], inputs[0].data, start, next, workspace)
                : keep(exec, before, next);
            handOn(exec, next + past.delay(), outputs[0], i, past.elements);
            handOn(exec, next + past.amplitude(), outputs[1], i, past.elements);
            handOn(exec, next + past.coherence(), outputs[2], i, past.elements);
            handOn(exec, next + past.figures(), outputs[3], i, kFigures);
        }
    }

    static aberration::Estimator estimatorOf(const FrameSpec& input, const AberrationParams& p) {
        das::checkGeometry(input);
        const auto points = static_cast<std::int32_t>(focusOfPatch(p, 0).points);
        return {aberration::elementGrid(input.acquisition->probe), points,
                aberration::binsOf(p.centreHz, p.bandwidthHz, p.bins),
                aberration::independentBins(p.bandwidthHz, p.bins, p.gateS), p};
    }

private:
    static std::size_t bytesOf(std::int64_t floats) {
        return static_cast<std::size_t>(floats) * sizeof(float);
    }

    static Past pastOf(const aberration::Estimator& estimator) {
        return {estimator.grid().places(), estimator.elements()};
    }

    static std::size_t spectraBytes(const aberration::Estimator& estimator) {
        return aligned(static_cast<std::size_t>(estimator.spectraCount()) * sizeof(Complex));
    }

    /// The first frame after an edit is due, so that it shows the effect. A frame that runs again
    /// is due too, because a stage before this one was edited.
    bool isDue(const Workspace& workspace) {
        if (m_firstSinceEdit < 0) m_firstSinceEdit = workspace.frame;
        const bool again = std::exchange(m_lastFrame, workspace.frame) == workspace.frame;
        return workspace.past == nullptr || workspace.frame % m_every == 0 ||
               workspace.frame == m_firstSinceEdit || again;
    }

    void estimate(const Exec& exec, const aberration::Focus& focus, const void* samples,
                  const float* start, float* next, const Workspace& workspace) const {
        const Past past = pastOf(m_estimator);
        auto* spectra = static_cast<Complex*>(workspace.data);
        auto* scratch = static_cast<std::byte*>(workspace.data) + spectraBytes(m_estimator);
        focus.run(exec, samples, spectra);
        if (aberration::isIterated(m_method)) {
            auto* scale = reinterpret_cast<float*>(scratch + m_estimator.scratchBytes());
            reduce(exec, kAberrationId, m_estimator.spectraCount(), Power{spectra}, Greater{}, 0.0F,
                   scale + 1, scale);
            forEach(exec, kAberrationId, m_estimator.spectraCount(), ToUsualScale{spectra, scale});
        }
        if (start != nullptr) {
            copyWithin(exec, next, start, bytesOf(past.places));
        } else {
            fillBytes(exec, next, 0, bytesOf(past.places));
        }
        m_estimator.run(exec, spectra, next, scratch,
                        {next + past.delay(), next + past.amplitude(), next + past.coherence(),
                         next + past.figures()});
    }

    void keep(const Exec& exec, const float* before, float* next) const {
        const Past past = pastOf(m_estimator);
        copyWithin(exec, next, before, bytesOf(past.count()));
        forEach(exec, kAberrationId, 1,
                GrowOlder{next + past.figures() + static_cast<std::int64_t>(Figure::Age)});
    }

    static void handOn(const Exec& exec, const float* from, const TensorView& output,
                       std::size_t patch, std::int64_t count) {
        if (output.data == nullptr) return;
        copyWithin(exec, output.as<float>() + static_cast<std::int64_t>(patch) * count, from,
                   bytesOf(count));
    }

    aberration::Estimator m_estimator;
    Buffer m_tables;
    std::vector<aberration::Focus> m_patches;
    aberration::Method m_method = aberration::Method::LeastSquares;
    std::int64_t m_every = 1;
    WarmStart m_warmStart = WarmStart::Frame;
    std::int64_t m_firstSinceEdit = -1; ///< number of that frame; -1: it has not come yet
    std::int64_t m_lastFrame = -1;
};

Params aberrationDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& p = params.as<AberrationParams>();
    if (!input.acquisition || input.acquisition->transmits.empty() ||
        input.acquisition->probe.elements.empty())
        return params;
    static_cast<aberration::FocusParams&>(p) = aberration::defaultFocus(input);
    const bool line = aberration::elementGrid(input.acquisition->probe).isLine();
    p.radius = line ? 3 : 1;
    return params;
}

/// A region must lie in the imaged part. The default region fills it.
std::vector<SliderSpan> aberrationSpans(const ShownStage& stage) {
    if (!stage.input.acquisition) return {};
    const auto& whole = stage.defaults.as<AberrationParams>();
    const double aside = das::roundedOut(std::abs(whole.lateralM) + 0.5 * whole.widthM);
    const double deepest = das::roundedOut(whole.depthM + 0.5 * whole.heightM);
    return {{"region_lateral", -aside, aside},
            {"region_depth", 1e-3, deepest},
            {"region_width", 1e-4, 2.0 * aside},
            {"region_height", 1e-4, deepest}};
}

/// A method sets the constants that it was published with, as in `echolux aberration`.
std::vector<CompanionValue> methodCompanions(const ShownStage& stage, std::string_view key) {
    if (key != "method") return {};
    const aberration::Method method = stage.params.as<AberrationParams>().method;
    aberration::SolveParams usual = stage.defaults.as<AberrationParams>();
    if (aberration::isIterated(method)) usual = aberration::usualFor(method);
    return {{"radius", usual.radius},
            {"iterations", usual.iterations},
            {"mu", usual.mu},
            {"epsilon", usual.epsilon}};
}

/// Counts a frame that makes an estimate, patch by patch; frames between copy the state of the one
/// before, and `predict` measures frames with an estimate.
std::vector<model::Kernel> aberrationWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const Backend backend = stage.backend;
    const auto& p = stage.params.as<AberrationParams>();
    const aberration::Estimator estimator = Aberration::estimatorOf(input, p);
    std::vector<model::Kernel> kernels;
    const auto append = [&](const std::vector<model::Kernel>& more) {
        kernels.insert(kernels.end(), more.begin(), more.end());
    };
    for (std::int64_t patch = 0; patch < p.patches; ++patch) {
        const aberration::FocusParams focus = focusOfPatch(p, patch);
        kernels.push_back(aberration::focusWork(backend, estimator.grid(), focus,
                                                aberration::countFocus(input, focus)));
        if (aberration::isIterated(p.method)) { // the greatest power, and the product with its root
            const std::int64_t count = estimator.spectraCount();
            append(reduceWork(
                backend, kAberrationId, count,
                {.bytesRead = sizeof(Complex),
                 .counts =
                     oneByOne(backend, {.ffma = 1.0, .fmul = 1.0, .fadd = 2.0, .offsets = 3.0})}));
            kernels.push_back(forEachWork(
                backend, kAberrationId, count,
                {.bytesRead = sizeof(Complex),
                 .bytesWritten = sizeof(Complex),
                 .counts = addedUp({oneByOne(backend, {.fmul = 2.0, .fadd = 1.0, .offsets = 3.0}),
                                    rootWork(backend), divisionWork(backend)})}));
        }
        append(aberration::estimateWork(backend, estimator.problem(), p));
        for (std::size_t port = 0; port < stage.plan.outputs.size(); ++port) {
            const auto patches = static_cast<std::size_t>(p.patches);
            if (stage.wants(port))
                kernels.push_back(
                    copyWork(kAberrationId, stage.plan.outputs[port].bytes() / patches));
        }
    }
    return kernels;
}

} // namespace

namespace stages {
const StageType& aberration() {
    static const StageType kType{
        .id = kAberrationId,
        .label = "Aberration",
        .help = "Estimates the delays and amplitudes that layers in front of the region cause at "
                "each element.",
        .work = aberrationWork,
        .table = aberrationTable(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Transmit, AxisName::Channel, AxisName::Sample}}},
        .outputs =
            {{kOutputPort},
             {"amplitude",
              "Amplitude of each element, relative to the mean of all, [lateral patch][channel]."},
             {"coherence", "Mean coherence of each element with its neighbours, "
                           "[lateral patch][channel]."},
             {"figures",
              "Figures that describe the estimate, [lateral patch]: valid, coherence, focus and "
              "sharpness without and with, centre, iterations, changes, rms delay, age."}},
        .bypassable = false,
        .tolerance = {1e-2, 1e-10, 0.02},
        .role = Role::EstimatesScreen,
        .defaults = aberrationDefaults,
        .shown = {.spans = aberrationSpans,
                  .companions = methodCompanions,
                  .box = ImageBox{.label = "Estimate",
                                  .depth = "region_depth",
                                  .lateral = "region_lateral",
                                  .height = "region_height",
                                  .width = "region_width",
                                  .followsClicks = false}},
        .code = codeOf<Aberration>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
