// SPDX-License-Identifier: GPL-3.0-or-later
// spectrum_to_float: stored spectra to floats, value = ((code >> shift) - codeOffset) * codeScale.
// shift is 0 to 8, for codes whose low bits hold no signal; floats are not shifted. The recording's
// background, which is in codes, is converted in the same way and passed on with the output. The
// levels take the shift into account.
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/convert_codes.hpp"

#include <cmath>

namespace echolux {
namespace {

using oct::SpectrumToFloatParams;

class SpectrumToFloat final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        FrameSpec output = input;
        output.dtype = DType::F32;
        output.codeOffset = 0.0;
        output.codeScale = 1.0;
        const std::int64_t shift = shiftOf(input, params);
        if (input.converterRange) {
            const double step = std::ldexp(1.0, static_cast<int>(-shift));
            output.converterRange = input.converterRange->mapped(
                step * input.codeScale, -input.codeOffset * input.codeScale);
        }
        const bool changes = shift != 0 || input.codeOffset != 0.0 || input.codeScale != 1.0;
        if (changes && input.spectrometer != nullptr) {
            auto converted = std::make_shared<Spectrometer>(*input.spectrometer);
            const double step = std::ldexp(1.0, static_cast<int>(-shift));
            for (float& value : converted->background) {
                value = static_cast<float>((value * step - input.codeOffset) * input.codeScale);
            }
            output.spectrometer = converted;
            if (output.suggestedLevels) {
                output.suggestedLevels->darkDb += 20.0 * std::log10(step);
                output.suggestedLevels->brightDb += 20.0 * std::log10(step);
            }
        }
        return {.outputs = {output}};
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_calibrate.offset = static_cast<float>(input.codeOffset);
        m_calibrate.factor = static_cast<float>(input.codeScale);
        m_calibrate.shift = static_cast<int>(shiftOf(input, params));
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        auto* out = output.as<float>();
        const auto convert = [&](const auto& functor) {
            forEach(exec, "spectrum_to_float", input.spec->count(), functor);
        };
        const auto convertReal = [&](const auto* codes) {
            convertCodes(exec, "spectrum_to_float", codes, out, input.spec->count(), m_calibrate);
        };
        switch (input.spec->dtype) {
        case DType::U8: return convertReal(input.as<std::uint8_t>());
        case DType::I16: return convertReal(input.as<std::int16_t>());
        case DType::U16: return convertReal(input.as<std::uint16_t>());
        case DType::Packed12:
            return convert(Packed12ToFloat{input.as<std::uint8_t>(), out, m_calibrate});
        default: return convertReal(input.as<float>());
        }
    }

private:
    static std::int64_t shiftOf(const FrameSpec& input, const Params& params) {
        return input.dtype == DType::F32 ? 0 : params.as<SpectrumToFloatParams>().shift;
    }

    CodeScaling m_calibrate;
};

/// Counts FourToFloat on CUDA (four samples per thread) and RealToFloat on the CPU: a shift and a
/// conversion (offsets), a difference and a product.
std::vector<model::Kernel> spectrumToFloatWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const bool four = stage.backend == Backend::Cuda && input.dtype != DType::Packed12;
    const double each = four ? 4.0 : 1.0;
    return {forEachWork(stage.backend, "spectrum_to_float",
                        four ? (input.count() + 3) / 4 : input.count(),
                        {.bytesRead = each * bytesPerSample(input),
                         .bytesWritten = each * 4.0,
                         .counts = {.fmul = each, .fadd = each, .offsets = 2.0 * each}})};
}

} // namespace

namespace stages {
const StageType& spectrum_to_float() {
    static const StageType kType{
        .id = "spectrum_to_float",
        .label = "Spectrum to float",
        .help = "Turns stored spectra into single precision.",
        .work = spectrumToFloatWork,
        .table = ParamTable::of<SpectrumToFloatParams>()
                     .integer(&SpectrumToFloatParams::shift,
                              {.key = "shift",
                               .label = "Shift",
                               .min = 0,
                               .max = 8,
                               .step = 1,
                               .kind = ParamKind::Structural,
                               .help = "Number of low bits that are dropped, for samples stored in "
                                       "the upper bits of their words.",
                               .displayUnit = "bit"})
                     .build(),
        .inputs = {orEnsembles({{DType::U8, DType::I16, DType::U16, DType::Packed12, DType::F32},
                                {AxisName::Lateral, AxisName::Sample},
                                true})},
        .bypassable = false,
        .tolerance = {1e-6, 0.0},
        .role = Role::ReadsSpectra,
        .code = codeOf<SpectrumToFloat>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
