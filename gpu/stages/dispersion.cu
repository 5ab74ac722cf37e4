// SPDX-License-Identifier: GPL-3.0-or-later
// dispersion: y[k] = x[k] exp(+j phi(k)), phi = c1 x^2 + c2 x^3 + c3 x^4 with x = -k / (2 (n - 1)),
// rad (S4 section 2.1), plus the recording's phase where asked. Output complex. A
// fringe A cos(2 pi z k / n + phi(k)) becomes sharp at depth +z.
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    StagePlan plan(const FrameSpec& input, const Params& params) const override {
        check(input, params.as<DispersionParams>());
        StagePlan plan{.output = input};
        plan.heldBytes = static_cast<std::size_t>(oct::linesOf(input).length) * sizeof(Complex);
        plan.output.dtype = DType::ComplexF32;
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        m_input = input;
        m_lines = oct::linesOf(input);
        m_table.allocate(exec, static_cast<std::size_t>(m_lines.length));
    }

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
        if (!values.useRecorded || input.spectrometer == nullptr) return;
        const std::vector<double>& phase = input.spectrometer->dispersionRad;
        if (phase.empty()) return;
        const std::int64_t samples = oct::linesOf(input).raw;
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

Params defaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<DispersionParams>().useRecorded =
        input.spectrometer != nullptr && !input.spectrometer->dispersionRad.empty();
    return params;
}

ParamRow term(const char* key, const char* label, double most, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "rad",
            .min = -most,
            .max = most,
            .step = most / 1e4,
            .help = help};
}

ParamTable table() {
    using P = DispersionParams;
    return ParamTable::of<P>()
        .real(&P::c1, term("c1", "c1", oct::kLargestDispersion[0],
                           "Quadratic term: group velocity dispersion."))
        .real(&P::c2, term("c2", "c2", oct::kLargestDispersion[1],
                           "Cubic term, for wide bands and much glass."))
        .real(&P::c3, term("c3", "c3", oct::kLargestDispersion[2], "Quartic term, rarely needed."))
        .flag(&P::useRecorded, {.key = "use_recorded",
                                .label = "Recorded phase",
                                .help = "Adds the phase that came with the recording or its "
                                        "calibration, where there is one."})
        .build();
}

} // namespace

namespace stages {
const StageType& dispersion() {
    static const StageType kType{
        .id = "dispersion",
        .label = "Dispersion",
        .help = "Undoes the dispersion between sample and reference arm.",
        .table = table(),
        .input = {{DType::F32, DType::ComplexF32}, {AxisName::Lateral, AxisName::Sample}, true},
        .tolerance = {1e-6, 0.0},
        .defaults = defaults,
        .create = createFilter<Dispersion>,
    };
    return kType;
}
} // namespace stages
} // namespace echolux
