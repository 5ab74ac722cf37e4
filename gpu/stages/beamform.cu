// SPDX-License-Identifier: GPL-3.0-or-later
// beamform: delay and sum for linear arrays (Gronvold 2008, chapter 2; van Bavel 2013,
// section 4.4). With pixel p, transmits t and receive elements e, all lengths in m and times in s:
//   image(p) = sum_t sum_e w(e, p) W(t, e) f(t, e, (t_tx(t, p) + t_rx(e, p) + t0 - t_first(t)) fs)
// where W are the recording's receive weights; formulas of each factor: beamform_formula.hpp.
// The low-resolution images (output `transmits`) are the terms of the sum over t, each before its
// magnitude and without a coherence factor:
//   lowResolution_t(p) = sum_e w(e, p) W(t, e) f(t, e, ...); zeros where t is switched off.
#include "gpu/beamform/beamform_model.hpp"
#include "gpu/beamform/beamform_reference.cuh"
#include "gpu/beamform/beamform_tuned.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"

#include <algorithm>

namespace echolux {
namespace das {

template void beamformReference(const Exec&, const Constants&, const float*, float*, std::int64_t,
                                std::int64_t, std::int64_t);
template void beamformReference(const Exec&, const Constants&, const Complex*, Complex*,
                                std::int64_t, std::int64_t, std::int64_t);

} // namespace das

namespace {

class Beamform final : public Stage {
public:
    StagePlan plan(InputSpecs inputs, const Params& params) const override {
        const FrameSpec& input = inputs[0];
        const auto& p = params.as<BeamformParams>();
        das::checkBeamformable(input, p);
        const das::Model model = das::makeModel(input, withAllTransmits(p));
        const FrameSpec image = das::imageSpec(input, p);
        return {.output = image,
                .workspaceBytes = device::compiledWithCuda()
                                      ? das::mostPackedBytes(model, isComplex(input.dtype))
                                      : 0,
                .heldBytes = Tables(model, p).total(),
                .warnings = das::warningsOf(input, p),
                .furtherOutputs = {perTransmit(image, input.axes.front())}};
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&,
                 const Params& params) override {
        const FrameSpec& input = inputs[0];
        const auto& p = params.as<BeamformParams>();
        m_input = input;
        const das::Model model = das::makeModel(input, withAllTransmits(p));
        m_pitch = das::tunedPitch(model);
        const Tables bytes(model, p);
        const MemoryKind kind = computeMemory(exec.backend);
        m_elements = Buffer(kind, bytes.elements);
        m_transmits = Buffer(kind, bytes.transmits);
        m_weights = Buffer(kind, bytes.weights);
        m_receiveTable = Buffer(kind, bytes.receiveDelays);
        m_transmitTable = Buffer(kind, bytes.transmitDelays);
    }

    void update(const Exec& exec, const Params& params) override {
        m_model = das::makeModel(m_input, params.as<BeamformParams>());
        m_constants = m_model.constants;
        m_constants.element = send<das::Element>(exec, m_elements, m_model.elements);
        m_constants.transmit = send<das::TransmitConstants>(exec, m_transmits, m_model.transmits);
        m_constants.receiveWeight = send<float>(exec, m_weights, m_model.receiveWeights);
        if (m_receiveTable.bytes() > 0) fillTables(exec);
        m_layout = das::tunedLayout(m_model, isComplex(m_input.dtype), 1, m_pitch);
        m_tuned = m_receiveTable.bytes() == 0 && das::tunedSuits(m_model);
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const ConstTensorView& input = inputs.front();
        if (outputs[0].data != nullptr) sum(exec, input, outputs[0], workspace);
        if (outputs[1].data == nullptr) return;
        if (isComplex(m_input.dtype)) {
            computeEach(exec, input.as<Complex>(), outputs[1].as<Complex>());
        } else {
            computeEach(exec, input.as<float>(), outputs[1].as<float>());
        }
    }

private:
    static FrameSpec perTransmit(FrameSpec image, const Axis& transmits) {
        image.axes.insert(image.axes.begin(), transmits);
        return image;
    }

    void sum(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) const {
        if (exec.backend == Backend::Cuda && m_tuned && m_constants.transmits > 0) {
            das::tunedPack(exec, m_constants, m_layout, input.data, workspace.data);
            das::tunedSum(exec, m_constants, m_layout, input.data, workspace.data, output.data);
        } else if (isComplex(m_input.dtype)) {
            compute(exec, m_constants, input.as<Complex>(), output.as<Complex>());
        } else {
            compute(exec, m_constants, input.as<float>(), output.as<float>());
        }
    }

    static BeamformParams withAllTransmits(BeamformParams params) {
        params.transmits = {};
        return params;
    }

    /// Bytes that suffice whatever transmits are switched on.
    struct Tables {
        std::size_t elements;
        std::size_t transmits;
        std::size_t weights;
        std::size_t receiveDelays = 0;
        std::size_t transmitDelays = 0;

        Tables(const das::Model& model, const BeamformParams& params)
            : elements(model.elements.size() * sizeof(das::Element)),
              transmits(model.transmits.size() * sizeof(das::TransmitConstants)),
              weights(model.receiveWeights.size() * sizeof(float)) {
            if (params.delays != DelaySource::Table) return;
            const auto pixels = static_cast<std::size_t>(model.constants.grid.pixels());
            receiveDelays = model.elements.size() * pixels * sizeof(float);
            transmitDelays = model.transmits.size() * pixels * sizeof(float);
        }
        std::size_t total() const {
            return elements + transmits + weights + receiveDelays + transmitDelays;
        }
    };

    template <class T>
    static const T* send(const Exec& exec, const Buffer& to, const std::vector<T>& values) {
        if (values.empty()) return nullptr;
        upload(exec, to.data(), values.data(), values.size() * sizeof(T));
        return to.as<T>();
    }

    void fillTables(const Exec& exec) {
        const std::int64_t pixels = m_constants.grid.pixels();
        auto* receive = m_receiveTable.as<float>();
        auto* transmit = m_transmitTable.as<float>();
        forEach(exec, "beamform", m_constants.elements * pixels,
                das::FillReceiveTable{m_constants, receive});
        forEach(exec, "beamform", m_constants.transmits * pixels,
                das::FillTransmitTable{m_constants, transmit});
        m_constants.receiveTable = receive;
        m_constants.transmitTable = transmit;
    }

    template <class Sample> static void compute(const Exec& exec, const das::Constants& constants,
                                                const Sample* samples, Sample* image) {
        if (exec.backend == Backend::Cpu) {
            das::beamformOnHost(constants, samples, image);
        } else {
            das::beamformReference(exec, constants, samples, image, 0, 1, constants.grid.pixels());
        }
    }

    /// Image by image, `images` [transmit of the frame][depth][lateral].
    template <class Sample>
    void computeEach(const Exec& exec, const Sample* samples, Sample* images) const {
        const std::int64_t pixels = m_constants.grid.pixels();
        if (m_constants.transmits < m_constants.transmitsInFrame) {
            fillBytes(exec, images, 0,
                      static_cast<std::size_t>(m_constants.transmitsInFrame * pixels) *
                          sizeof(Sample));
        }
        das::Constants one = m_constants;
        one.transmits = 1;
        one.incoherent = one.coherenceFactor = false;
        for (const das::TransmitConstants& transmit : m_model.transmits) {
            compute(exec, one, samples, images + transmit.line * pixels);
            ++one.transmit;
            if (one.transmitTable != nullptr) one.transmitTable += pixels;
        }
    }

    FrameSpec m_input;
    das::Model m_model;
    das::Constants m_constants;
    das::TunedLayout m_layout;
    int m_pitch = 0;
    bool m_tuned = false;
    Buffer m_elements;
    Buffer m_transmits;
    Buffer m_weights;
    Buffer m_receiveTable;
    Buffer m_transmitTable;
};

ParamRow lengthRow(const char* key, const char* label, double min, double max, double step,
                   const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = max,
            .step = step,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "mm",
            .displayFactor = 1e3};
}

ParamTable beamformTable() {
    return ParamTable::of<BeamformParams>()
        .real(&BeamformParams::soundSpeedMps,
              {.key = "speed_of_sound",
               .label = "Speed of sound",
               .unit = "m/s",
               .min = 1000,
               .max = 7000,
               .step = 1,
               .help = "1540 in tissue, about 6300 in aluminium and 5900 in steel; a wrong one "
                       "blurs and shifts the image."})
        .real(&BeamformParams::t0OffsetS,
              {.key = "t0_offset",
               .label = "t0 offset",
               .unit = "s",
               .min = -20e-6,
               .max = 20e-6,
               .step = 1e-8,
               .help = "Added to every delay, for a lens or a trigger that comes late.",
               .displayUnit = "us",
               .displayFactor = 1e6})
        .real(&BeamformParams::fNumber,
              {.key = "f_number",
               .label = "f-number",
               .min = 0,
               .max = 4,
               .step = 0.1,
               .help = "Depth over receive aperture; 0 takes all elements at every depth."})
        .choice(&BeamformParams::window,
                {{"rectangular", "Rectangular"},
                 {"hann", "Hann"},
                 {"hamming", "Hamming"},
                 {"tukey", "Tukey"}},
                {.key = "window",
                 .label = "Window",
                 .help = "Weights over the receive aperture, peak 1; tapers lower side lobes and "
                         "widen the main lobe."})
        .real(&BeamformParams::tukeyAlpha,
              {.key = "tukey_alpha",
               .label = "Tukey alpha",
               .min = 0,
               .max = 1,
               .step = 0.05,
               .help = "Tapered part of the Tukey window: 0 is rectangular, 1 is Hann.",
               .onlyWith = {"window", "tukey"}})
        .choice(&BeamformParams::interpolation,
                {{"nearest", "Nearest"},
                 {"linear", "Linear"},
                 {"lagrange", "Lagrange"},
                 {"sinc", "Truncated sinc"}},
                {.key = "interpolation",
                 .label = "Interpolation",
                 .help = "How a line is read between its samples."})
        .integer(&BeamformParams::lagrangeOrder,
                 {.key = "lagrange_order",
                  .label = "Lagrange order",
                  .min = 1,
                  .max = 5,
                  .step = 1,
                  .help = "Order of the Lagrange interpolation; it takes one sample more.",
                  .onlyWith = {"interpolation", "lagrange"}})
        .integer(&BeamformParams::sincTaps,
                 {.key = "sinc_taps",
                  .label = "Sinc taps",
                  .min = 2,
                  .max = das::kMaxTaps,
                  .step = 2,
                  .help = "Samples that the truncated sinc takes; odd numbers count as one less.",
                  .onlyWith = {"interpolation", "sinc"}})
        .flag(&BeamformParams::coherenceFactor,
              {.key = "coherence_factor",
               .label = "Coherence factor",
               .help = "Weights each pixel by how much its echoes agree, 0 to 1: |sum|^2 over "
                       "count times sum of squares."})
        .mask(&BeamformParams::transmits,
              {.key = "transmits",
               .label = "Transmits",
               .min = 0,
               .max = 1,
               .step = 1,
               .help = "Which transmits are summed: all, the first, middle or "
                       "last one alone, or those chosen."})
        .choice(
            &BeamformParams::compounding, {{"coherent", "Coherent"}, {"incoherent", "Incoherent"}},
            {.key = "compounding",
             .label = "Compounding",
             .kind = ParamKind::Structural,
             .help =
                 "Sum of the transmits' images, or of their magnitudes (analytic signals and IQ)."})
        .choice(&BeamformParams::delays, {{"kernel", "In the kernel"}, {"table", "From a table"}},
                {.key = "delays",
                 .label = "Delays",
                 .kind = ParamKind::Structural,
                 .help = "Computed while summing, or once after each change of a parameter."})
        .real(&BeamformParams::lateralMinM,
              lengthRow("lateral_min", "Left edge", -1, 1, 5e-4, "First column of the image."))
        .real(&BeamformParams::lateralMaxM,
              lengthRow("lateral_max", "Right edge", -1, 1, 5e-4, "Last column of the image."))
        .real(&BeamformParams::depthMinM,
              lengthRow("depth_min", "Top", 0, 2, 5e-4, "First row of the image."))
        .real(&BeamformParams::depthMaxM,
              lengthRow("depth_max", "Bottom", 0, 2, 5e-4, "Last row of the image."))
        .real(&BeamformParams::pixelLateralM, lengthRow("pixel_lateral", "Pixel width", 1e-6, 0.01,
                                                        1e-5, "Distance of neighbouring columns."))
        .real(&BeamformParams::pixelDepthM,
              lengthRow(
                  "pixel_depth", "Pixel height", 1e-6, 0.01, 1e-6,
                  "Distance of neighbouring rows. Summed RF needs an eighth of the wavelength or "
                  "less for its envelope; of analytic signals and IQ any grid is right."))
        .build();
}

Params beamformDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<BeamformParams>() = das::defaultParams(input);
    return params;
}

} // namespace

namespace stages {
const StageType& beamform() {
    static const StageType kType{
        .id = "beamform",
        .label = "Beamform",
        .help = "Delay and sum: from channel data to an image.",
        .table = beamformTable(),
        .input = {{DType::F32, DType::ComplexF32},
                  {AxisName::Transmit, AxisName::Channel, AxisName::Sample}},
        .furtherOutputs = {{"transmits", "The low-resolution images [transmit][depth][lateral] "
                                         "that the sum is made of; zeros of transmits that are "
                                         "switched off."}},
        .bypassable = false,
        .tolerance = {1e-3, 0.0, 0.02},
        .defaults = beamformDefaults,
        .create = [] { return std::unique_ptr<Stage>(std::make_unique<Beamform>()); },
    };
    return kType;
}
} // namespace stages
} // namespace echolux
