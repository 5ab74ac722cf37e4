// SPDX-License-Identifier: GPL-3.0-or-later
// dispersion: y[p] = x[p] exp(+j phi(k)). phi in rad is the sum of c_i u^(i + 1), i = 1 .. 3 or 8,
// with u = -k / (2 (n - 1)) and k the place of sample p in wavenumber. The recording's phase is
// added where asked. Where depths are kept, the slope of phi in the middle is removed. Output
// complex. A fringe A cos(2 pi z k / n + phi(k)) becomes sharp at depth +z.
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace echolux {
namespace {

using oct::DispersionParams;

template <class T> struct Turn {
    const T* in;
    const Complex* phasor;
    Complex* out;
    std::int64_t length;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t k) const {
        const std::int64_t i = line * length + k;
        out[i] = in[i] * phasor[k];
    }
};

class Dispersion final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        check(input, params.as<DispersionParams>());
        StagePlan plan{.outputs = {input}};
        plan.heldBytes = static_cast<std::size_t>(oct::linesOf(input).length) * sizeof(Complex);
        plan.outputs[0].dtype = DType::ComplexF32;
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        m_input = input;
        m_lines = oct::linesOf(input);
        m_table.allocate(exec, static_cast<std::size_t>(m_lines.length));
    }

    void follow(const Exec&, const FrameSpec& input) override { m_input = input; }

    void update(const Exec& exec, const Params& params) override {
        m_table.set(exec, oct::dispersionPhasors(m_input, params.as<DispersionParams>()));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (isComplex(input.spec->dtype)) {
            turn(exec, input.as<Complex>(), output.as<Complex>());
        } else {
            turn(exec, input.as<float>(), output.as<Complex>());
        }
    }

private:
    template <class T> void turn(const Exec& exec, const T* in, Complex* out) const {
        forEachInLines(exec, "dispersion", m_lines.count, m_lines.length,
                       Turn<T>{in, m_table.data(), out, m_lines.length});
    }

    static void check(const FrameSpec& input, const DispersionParams& values) {
        const std::vector<double>& phase = values.recordedIn(input);
        if (phase.empty()) return;
        const std::int64_t samples = oct::linesOf(input).length;
        if (static_cast<std::int64_t>(phase.size()) != samples) {
            throw Error(fmt::format("Stage 'dispersion': the recorded phase has {} values, but the "
                                    "lines have {} samples; load the calibration that belongs to "
                                    "this recording, or switch use_recorded off.",
                                    phase.size(), samples));
        }
        const auto bad =
            std::ranges::find_if_not(phase, [](double phi) { return std::isfinite(phi); });
        if (bad != phase.end()) {
            throw Error(fmt::format("Stage 'dispersion': value {} of the recorded phase is not a "
                                    "number; load another calibration, or switch use_recorded off.",
                                    bad - phase.begin()));
        }
    }

    FrameSpec m_input;
    oct::Lines m_lines;
    ComputeTable<Complex> m_table;
};

Params dispersionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<DispersionParams>().useRecorded =
        input.spectrometer != nullptr && !input.spectrometer->dispersionRad.empty();
    return params;
}

std::vector<StageCurve> phaseCurve(const ShownStage& stage) {
    const auto& params = stage.params.as<DispersionParams>();
    const std::int64_t samples = oct::linesOf(stage.input).length;
    std::vector<double> recorded = params.recordedIn(stage.input);
    if (static_cast<std::int64_t>(recorded.size()) != samples) recorded.clear();
    return {oct::curveAroundZero(
        oct::phaseOf(params, recorded, oct::evenPositions(samples, samples), samples), "rad")};
}

/// The parameter row of c_i.
ParamRow term(std::size_t i, const char* help) {
    const double most = oct::kLargestDispersion[i - 1];
    const std::string name = fmt::format("c{}", i);
    ParamRow row{.key = name,
                 .label = name,
                 .unit = "rad",
                 .min = -most,
                 .max = most,
                 .step = most / 1e4,
                 .help = help};
    if (i > 3) row.onlyWith = {"terms", "eight"};
    return row;
}

ParamTable dispersionTable() {
    using P = DispersionParams;
    return ParamTable::of<P>()
        .choice(&P::terms, {{"three", "c1 to c3"}, {"eight", "c1 to c8"}},
                {.key = "terms",
                 .label = "Terms",
                 .help = "Terms of the phase c1 x^2 + c2 x^3 + ...; x runs from 0 to -0.5 along "
                         "the spectrum."})
        .real(&P::c1, term(1, "Quadratic term: group velocity dispersion."))
        .real(&P::c2, term(2, "Cubic term, for wide bands and much glass."))
        .real(&P::c3, term(3, "Quartic term, rarely needed."))
        .real(&P::c4, term(4, "Term of the fifth power."))
        .real(&P::c5, term(5, "Term of the sixth power."))
        .real(&P::c6, term(6, "Term of the seventh power."))
        .real(&P::c7, term(7, "Term of the eighth power."))
        .real(&P::c8, term(8, "Term of the ninth power."))
        .flag(&P::keepDepth,
              {.key = "keep_depth",
               .label = "Keep depth",
               .help = "Removes the slope of the phase in the middle of the spectrum, so that the "
                       "terms do not shift the image in depth."})
        .flag(&P::useRecorded, {.key = "use_recorded",
                                .label = "Recorded phase",
                                .help = "Adds the phase that came with the recording or its "
                                        "calibration, where there is one."})
        .build();
}

/// Counts Turn: two products of a real sample, four operations more of a complex one.
std::vector<model::Kernel> dispersionWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const double bytes = bytesPerSample(input);
    return {
        forEachInLinesWork(stage.backend, "dispersion", input.count(),
                           {.bytesRead = bytes + 8.0,
                            .bytesWritten = 8.0,
                            .distinctRead = bytes,
                            .counts = {.ffma = isComplex(input.dtype) ? 2.0 : 0.0, .fmul = 2.0}})};
}

} // namespace

namespace stages {
const StageType& dispersion() {
    static const StageType kType{
        .id = "dispersion",
        .label = "Dispersion",
        .help = "Undoes the dispersion between sample and reference arm.",
        .work = dispersionWork,
        .table = dispersionTable(),
        .inputs = {orBands(
            {{DType::F32, DType::ComplexF32}, {AxisName::Lateral, AxisName::Sample}, true})},
        .tolerance = {1e-6, 0.0},
        .defaults = dispersionDefaults,
        .shown = {.curves = phaseCurve},
        .code = codeOf<Dispersion>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
