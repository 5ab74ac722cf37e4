// SPDX-License-Identifier: GPL-3.0-or-later
// to_float: stored codes to physical values, value = (code - codeOffset) * codeScale * scale, for
// every sample type and for real and imaginary parts. codeOffset and codeScale come from the
// recording.
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/convert_codes.hpp"
#include "gpu/stages/front_end_tables.hpp"

#include <cstdint>

namespace echolux {
namespace {

struct ToFloatParams {
    double scale = 1.0;
};

CodeScaling scalingOf(double codeOffset, double codeScale, const Params& params) {
    return {static_cast<float>(codeOffset),
            static_cast<float>(codeScale * params.as<ToFloatParams>().scale)};
}

/// What the values of recorded images are. Images of floating point use NaN where they have no
/// data.
void describeValues(FrameSpec& output) {
    switch (output.recordedForm) {
    case RecordedForm::Signals:
    case RecordedForm::Beamformed: return;
    case RecordedForm::Envelope: output.valueKind = ValueKind::Amplitude; break;
    case RecordedForm::Decibels: output.valueKind = ValueKind::Level; break;
    case RecordedForm::Picture: break;
    }
    output.hasGaps = true;
}

class ToFloat final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        FrameSpec output = input;
        output.dtype = isComplex(input.dtype) ? DType::ComplexF32 : DType::F32;
        output.codeOffset = 0.0;
        output.codeScale = 1.0;
        describeValues(output);
        output.recordedPeak = input.recordedPeak * params.as<ToFloatParams>().scale;
        if (input.converterRange) {
            const double factor = input.codeScale * params.as<ToFloatParams>().scale;
            output.converterRange =
                input.converterRange->mapped(factor, -input.codeOffset * factor);
        }
        return {.outputs = {output}};
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_codeScale = input.codeScale;
        m_codeOffset = input.codeOffset;
    }

    void update(const Exec&, const Params& params) override {
        m_calibrate = scalingOf(m_codeOffset, m_codeScale, params);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const auto convert = [&](const auto& functor) {
            forEach(exec, "to_float", input.spec->count(), functor);
        };
        auto* real = output.as<float>();
        const auto convertReal = [&](const auto* codes) {
            convertCodes(exec, "to_float", codes, real, input.spec->count(), m_calibrate);
        };
        auto* complex = output.as<Complex>();
        switch (input.spec->dtype) {
        case DType::U8: return convertReal(input.as<std::uint8_t>());
        case DType::I16: return convertReal(input.as<std::int16_t>());
        case DType::U16: return convertReal(input.as<std::uint16_t>());
        case DType::Packed12:
            return convert(Packed12ToFloat{input.as<std::uint8_t>(), real, m_calibrate});
        case DType::F32: return convertReal(input.as<float>());
        case DType::ComplexI16:
            return convert(
                ComplexToFloat<std::int16_t>{input.as<std::int16_t>(), complex, m_calibrate});
        case DType::ComplexF32:
            return convert(ComplexToFloat<float>{input.as<float>(), complex, m_calibrate});
        }
    }

private:
    double m_codeScale = 1.0;
    double m_codeOffset = 0.0;
    CodeScaling m_calibrate;
};

/// Counts FourToFloat on CUDA (four samples per thread), RealToFloat on the CPU, and the complex
/// functors: a conversion (offsets), a difference and a product per real number.
std::vector<model::Kernel> toFloatWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const double parts = isComplex(input.dtype) ? 2.0 : 1.0;
    const bool four =
        stage.backend == Backend::Cuda && parts == 1.0 && input.dtype != DType::Packed12;
    const double each = four ? 4.0 : 1.0;
    return {forEachWork(
        stage.backend, "to_float", four ? (input.count() + 3) / 4 : input.count(),
        {.bytesRead = each * bytesPerSample(input),
         .bytesWritten = each * parts * 4.0,
         .counts = {.fmul = each * parts, .fadd = each * parts, .offsets = each * parts}})};
}

} // namespace

CodeScaling front::codeScaling(const FrameSpec& input, const Params& toFloat) {
    return scalingOf(input.codeOffset, input.codeScale, toFloat);
}

namespace stages {
const StageType& to_float() {
    static const StageType kType{
        .id = "to_float",
        .label = "To float",
        .help = "Turns stored codes into physical values in single precision.",
        .work = toFloatWork,
        .table = ParamTable::of<ToFloatParams>()
                     .real(&ToFloatParams::scale,
                           {.key = "scale",
                            .label = "Scale",
                            .min = 1e-6,
                            .max = 1e6,
                            .step = 0.01,
                            .scale = ParamScale::Log,
                            .help = "Factor on every sample, besides the recording's own."})
                     .build(),
        .inputs = {orEnsembles({{DType::U8, DType::I16, DType::U16, DType::Packed12, DType::F32,
                                 DType::ComplexI16, DType::ComplexF32}})},
        .bypassable = false,
        .tolerance = {1e-6, 0.0},
        .role = Role::ReadsEchoes,
        .code = codeOf<ToFloat>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
