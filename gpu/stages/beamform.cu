// SPDX-License-Identifier: GPL-3.0-or-later
// beamform: delay and sum for arrays of any shape (Gronvold 2008, chapters 2 and 4; van Bavel 2013,
// section 4.4; Jarosik, Lewandowski and Yiu 2024). With pixel p, transmits t and receive elements
// e, all lengths in m and times in s:
//   image(p) = sum_t sum_e w(e, p) W(t, e, p) f(t, e, (t_tx(t, p) + t_rx(e, p) + t0 - t_first(t))
//   fs)
// W are the recording's receive weights: those of the transmit's channel times those over range.
// beamform_formula.hpp has the formula of each factor. Where beams are blended, a line is the
// weighted sum of its images by each of the beams around it.
// The low-resolution images (output `transmits`) are the terms of the sum over t, each without a
// magnitude and without a coherence factor:
//   lowResolution_t(p) = sum_e w(e, p) W(t, e, p) f(t, e, ...); zeros where t is switched off.
// Delayed channel data (output `delayed`) are the terms of the sum over e, likewise:
//   delayed_e(p) = sum_t w(e, p) W(t, e, p) f(t, e, ...).
// The output `pairs` has each term of both sums by itself, w(e, p) W(t, e, p) f(t, e, ...). Each
// frame of an ensemble is summed alone, and an ensemble has only the first output.
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_cuda.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_delay_tables.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_model.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/beamform/beamform_reference.cuh"
#include "gpu/beamform/beamform_shown.hpp"
#include "gpu/beamform/beamform_texture.hpp"
#include "gpu/beamform/beamform_work.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/beamform_table.hpp"

#include <algorithm>

namespace echolux {
namespace das {

template void beamformReference(const Exec&, const Constants&, const float*, float*, std::int64_t,
                                std::int64_t, std::int64_t);
template void beamformReference(const Exec&, const Constants&, const Complex*, Complex*,
                                std::int64_t, std::int64_t, std::int64_t);
template void delayedChannels(const Exec&, const Constants&, const float*, float*);
template void delayedChannels(const Exec&, const Constants&, const Complex*, Complex*);

} // namespace das

namespace {

class Beamform final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec input = oneFrameOf(inputs[0]);
        const auto& p = params.as<BeamformParams>();
        das::checkBeamformable(input, p);
        const das::Model model = das::makeModel(input, withAllTransmits(p));
        const FrameSpec image = das::imageSpec(input, p);
        StagePlan plan{.outputs = {image, inLines(input, oneOf(input.axes.front(), image)),
                                   inLines(input, oneOf(elementAxis(model), image)),
                                   oneOf(input.axes.front(), oneOf(elementAxis(model), image))},
                       .workspaceBytes = workspaceBytes(model, inputs[0]),
                       .heldBytes = Tables(model, p).total(),
                       .warnings = das::warningsOf(input, p),
                       .untuned = {das::whyUntuned(model, p.delays, isComplex(input.dtype)),
                                   "low-resolution images are computed pixel by pixel",
                                   "delayed channel data is computed pixel by pixel",
                                   "pairs of transmits and channels are computed pixel by pixel"}};
        if (!inputs[0].isEnsemble()) return plan;
        plan.outputs[0].axes.insert(plan.outputs[0].axes.begin(), inputs[0].axes.front());
        plan.onlyFirstOutput = "Stage 'beamform' gives its outputs 'transmits', 'delayed' and "
                               "'pairs' of single frames, not of an ensemble; put one_frame or "
                               "ensemble_mean before it.";
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan& plan,
                 const Params& params) override {
        const FrameSpec input = oneFrameOf(inputs[0]);
        const auto& p = params.as<BeamformParams>();
        m_input = input;
        m_frames = inputs[0].sizeOf(AxisName::Frame);
        m_workspaceBytes = plan.workspaceBytes;
        const das::Model model = das::makeModel(input, withAllTransmits(p));
        m_pitch = das::tunedPitch(model);
        const Tables bytes(model, p);
        const MemoryKind kind = computeMemory(exec.backend);
        m_elements = Buffer(kind, bytes.elements);
        m_transmits = Buffer(kind, bytes.transmits);
        m_weights = Buffer(kind, bytes.weights);
        m_faces = Buffer(kind, bytes.faces);
        m_shadows = Buffer(kind, bytes.shadows);
        m_beams = Buffer(kind, bytes.beams);
        m_blended = Buffer(kind, bytes.blended);
        m_rangeWeights = Buffer(kind, bytes.rangeWeights);
        m_channelOf = Buffer(kind, bytes.channelOf);
        m_delays.allocate(exec, model, p.delays);
        m_readTable = Buffer(kind, bytes.readTable);
        m_textures.reset(textureLines(input));
    }

    void update(const Exec& exec, const Params& params) override {
        m_model = das::makeModel(m_input, params.as<BeamformParams>());
        m_constants = m_model.constants;
        m_constants.element = send<das::Element>(exec, m_elements, m_model.elements);
        m_constants.transmit = send<das::TransmitConstants>(exec, m_transmits, m_model.transmits);
        m_constants.receiveWeight = send<float>(exec, m_weights, m_model.receiveWeights);
        m_constants.face = send<das::Face>(exec, m_faces, m_model.faces);
        das::takeShadows(m_constants, send<das::Shadow>(exec, m_shadows, m_model.shadows));
        m_constants.grid.beam = send<das::Beam>(exec, m_beams, m_model.beams);
        m_constants.blended = send<das::Beam>(exec, m_blended, m_model.blended);
        m_constants.rangeWeight = send<float>(exec, m_rangeWeights, m_model.rangeWeights);
        m_constants.channelOf = send<std::int32_t>(exec, m_channelOf, m_model.channelOf);
        m_constants.readTable = send<float>(exec, m_readTable, m_model.readTable);
        if (m_delays.isAllocated()) m_delays.fill(exec, m_model, m_constants);
        m_chosen = m_delays.isAllocated()
                       ? das::CudaSum{}
                       : das::chooseCudaSum(m_model, isComplex(m_input.dtype),
                                            static_cast<int>(m_frames), m_pitch, m_workspaceBytes);
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const ConstTensorView& input = inputs.front();
        if (outputs[0].data != nullptr) {
            const std::size_t imageBytes = outputs[0].spec->bytes() / framesOf(m_frames);
            const std::int64_t together = exec.backend == Backend::Cuda ? m_chosen.frames() : 1;
            for (std::int64_t frame = 0; frame < m_frames; frame += together) {
                sum(exec, input.as<std::byte>() + framesOf(frame) * m_input.bytes(),
                    outputs[0].as<std::byte>() + framesOf(frame) * imageBytes, workspace);
            }
        }
        const auto isUnread = [](const TensorView& output) { return output.data == nullptr; };
        if (std::ranges::all_of(outputs.subspan(1), isUnread)) return;
        bindTexture(exec, input.data, workspace);
        isComplex(m_input.dtype) ? computeTerms<Complex>(exec, input, outputs.subspan(1))
                                 : computeTerms<float>(exec, input, outputs.subspan(1));
    }

private:
    /// The specification with one image for each entry of `axis`.
    static FrameSpec oneOf(const Axis& axis, FrameSpec image) {
        image.axes.insert(image.axes.begin(), axis);
        return image;
    }

    /// Knows which channels are neighbours, or transmits that are elements.
    static FrameSpec inLines(const FrameSpec& input, FrameSpec images) {
        const Acquisition& acquisition = *input.acquisition;
        if (images.axes.front().name == AxisName::Channel || fireInTurn(acquisition))
            images.termsPerLine = elementsPerLine(acquisition.probe);
        return images;
    }

    static Axis elementAxis(const das::Model& model) {
        return {AxisName::Channel, std::ssize(model.elements), 1.0, 0.0, ""};
    }

    static std::size_t framesOf(std::int64_t frames) { return static_cast<std::size_t>(frames); }

    /// Sums one frame, or all frames of an ensemble that the kernel takes at once.
    void sum(const Exec& exec, const std::byte* samples, std::byte* image,
             const Workspace& workspace) {
        if (exec.backend == Backend::Cuda && m_chosen.isTuned())
            return das::sumOnCuda(exec, m_constants, m_chosen, samples, workspace.data, image);
        bindTexture(exec, samples, workspace);
        if (isComplex(m_input.dtype)) {
            compute(exec, m_constants, reinterpret_cast<const Complex*>(samples),
                    reinterpret_cast<Complex*>(image));
        } else {
            compute(exec, m_constants, reinterpret_cast<const float*>(samples),
                    reinterpret_cast<float*>(image));
        }
    }

    void bindTexture(const Exec& exec, const void* samples, const Workspace& workspace) {
        const bool textures = m_constants.interpolation == DelayInterpolation::Texture;
        if (textures && exec.backend == Backend::Cuda)
            m_constants.texture = m_textures.bind(exec, samples, workspace.data);
    }

    static das::TextureLines textureLines(const FrameSpec& input) {
        const std::int64_t samples = input.sizeOf(AxisName::Sample);
        return {isComplex(input.dtype), input.count() / samples, samples};
    }

    /// Bytes for one frame, or for all frames that are imaged at once.
    static std::size_t workspaceBytes(const das::Model& model, const FrameSpec& input) {
        if (!device::compiledWithCuda()) return 0;
        const auto frames = static_cast<int>(input.sizeOf(AxisName::Frame));
        return std::max(das::mostWorkspaceBytes(model, isComplex(input.dtype), frames),
                        textureLines(oneFrameOf(input)).bytes());
    }

    static BeamformParams withAllTransmits(BeamformParams params) {
        params.transmits = {};
        return params;
    }

    /// Sizes in bytes that suffice whichever transmits are switched on.
    struct Tables {
        std::size_t elements;
        std::size_t transmits;
        std::size_t weights;
        std::size_t faces;
        std::size_t shadows;
        std::size_t beams;
        std::size_t blended;
        std::size_t rangeWeights;
        std::size_t channelOf;
        std::size_t delays;
        std::size_t readTable = das::kMostReadTableBytes;

        Tables(const das::Model& model, const BeamformParams& params)
            : elements(bytesOf(model.elements)), transmits(bytesOf(model.transmits)),
              weights(bytesOf(model.receiveWeights)), faces(bytesOf(model.faces)),
              shadows(bytesOf(model.shadows)), beams(bytesOf(model.beams)),
              blended(bytesOf(model.blended)), rangeWeights(bytesOf(model.rangeWeights)),
              channelOf(bytesOf(model.channelOf)),
              delays(das::DelayTables::bytesOf(model, params.delays)) {}
        template <class T> static std::size_t bytesOf(const std::vector<T>& values) {
            return values.size() * sizeof(T);
        }
        std::size_t total() const {
            return elements + transmits + weights + faces + shadows + beams + blended +
                   rangeWeights + channelOf + delays + readTable;
        }
    };

    template <class T>
    static const T* send(const Exec& exec, const Buffer& to, const std::vector<T>& values) {
        if (values.empty()) return nullptr;
        upload(exec, to.data(), values.data(), values.size() * sizeof(T));
        return to.as<T>();
    }

    template <class Sample> static void compute(const Exec& exec, const das::Constants& constants,
                                                const Sample* samples, Sample* image) {
        if (exec.backend == Backend::Cpu) {
            das::beamformOnHost(constants, samples, image);
        } else {
            das::beamformReference(exec, constants, samples, image, 0, 1, constants.grid.pixels());
        }
    }

    /// Computes the outputs besides the image that are wanted.
    template <class Sample> void computeTerms(const Exec& exec, const ConstTensorView& input,
                                              std::span<const TensorView> outputs) const {
        const auto* samples = input.as<Sample>();
        if (outputs[0].data != nullptr)
            computeEach<Sample>(exec, outputs[0], [&](const das::Constants& one, Sample* image) {
                compute(exec, one, samples, image);
            });
        if (outputs[1].data != nullptr)
            das::delayedChannels(exec, m_constants, samples, outputs[1].as<Sample>());
        if (outputs[2].data != nullptr)
            computeEach<Sample>(exec, outputs[2], [&](const das::Constants& one, Sample* images) {
                das::delayedChannels(exec, one, samples, images);
            });
    }

    /// Computes transmit by transmit with run(constants of one, its part of `output`). `output` is
    /// [transmit of the frame][...].
    template <class Sample, class Run>
    void computeEach(const Exec& exec, const TensorView& output, const Run& run) const {
        auto* images = output.as<Sample>();
        const std::int64_t each = output.spec->count() / m_constants.transmitsInFrame;
        if (m_constants.transmits < m_constants.transmitsInFrame)
            fillBytes(exec, images, 0, output.spec->bytes());
        das::Constants one = m_constants;
        one.transmits = 1;
        one.incoherent = one.coherenceFactor = one.normalized = false;
        for (const das::TransmitConstants& transmit : m_model.transmits) {
            run(one, images + transmit.line * each);
            ++one.transmit;
            if (one.shadow != nullptr) ++one.shadow;
            if (one.transmitSteps != nullptr) ++one.transmitSteps;
            if (one.fullTable != nullptr) one.fullTable += das::fullTableBegin(one, 1, 0);
        }
    }

    FrameSpec m_input; ///< one frame
    std::int64_t m_frames = 1;
    std::size_t m_workspaceBytes = 0;
    das::Model m_model;
    das::Constants m_constants;
    das::CudaSum m_chosen;
    int m_pitch = 0;
    Buffer m_elements;
    Buffer m_transmits;
    Buffer m_weights;
    Buffer m_faces;
    Buffer m_shadows;
    Buffer m_beams;
    Buffer m_blended;
    Buffer m_rangeWeights;
    Buffer m_channelOf;
    das::DelayTables m_delays;
    Buffer m_readTable;
    das::LineTextures m_textures;
};

Params beamformDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<BeamformParams>() = das::defaultParams(input);
    return params;
}

/// Counted in beamform_work.cpp. The transmits that are switched off are no work.
std::vector<model::Kernel> beamformWork(const PlannedStage& stage) {
    const auto& params = stage.params.as<BeamformParams>();
    const FrameSpec frame = oneFrameOf(stage.inputs[0]);
    const das::Model model = das::makeModel(frame, params);
    das::SumTask task{.backend = stage.backend,
                      .complex = isComplex(frame.dtype),
                      .delays = params.delays,
                      .frames = static_cast<int>(stage.inputs[0].sizeOf(AxisName::Frame))};
    if (das::whyUntuned(model, params.delays, task.complex).empty()) {
        const int pitch = das::tunedPitch(model);
        task.chosen = das::chooseCudaSum(model, task.complex, task.frames, pitch,
                                         das::mostWorkspaceBytes(model, task.complex, task.frames));
    }
    std::vector<model::Kernel> kernels;
    // Zeros are written where no element hears a pixel, and for transmits that are switched off.
    const auto add = [&](std::size_t port, std::vector<model::Kernel> more) {
        const FrameSpec& output = stage.plan.outputs[port];
        const bool perTransmit = output.axes[0].name == AxisName::Transmit;
        if (more.empty() || (perTransmit && output.axes[0].size > std::ssize(more)))
            kernels.push_back(forEachWork(stage.backend, "beamform", output.count(),
                                          {.bytesWritten = bytesPerSample(output)}));
        kernels.insert(kernels.end(), more.begin(), more.end());
    };
    if (stage.wants(0)) add(0, das::sumWork(model, task));
    if (stage.wants(1)) add(1, das::eachTransmitWork(model, task));
    if (stage.wants(2)) add(2, das::delayedWork(model, task));
    if (stage.wants(3)) add(3, das::pairsWork(model, task));
    // The windows of few pixels hold less than the records that they are cut from.
    for (model::Kernel& kernel : kernels)
        for (model::Part& part : kernel.parts)
            part.distinctBytes = std::min(part.distinctBytes, part.globalBytes);
    return kernels;
}

} // namespace

namespace stages {
const StageType& beamform() {
    static const StageType kType{
        .id = "beamform",
        .label = "Beamform",
        .help = "Delay and sum: from channel data to an image.",
        .work = beamformWork,
        .table = das::beamformTable(),
        .inputs = {orEnsembles({{DType::F32, DType::ComplexF32},
                                {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .outputs = {{kOutputPort},
                    {"transmits",
                     "Low-resolution image of each transmit, [transmit][depth][lateral]; "
                     "the sum adds them up. Zeros for transmits that are switched off."},
                    {"delayed", "Delayed channel data [channel][depth][lateral]: what each "
                                "element adds to the sum."},
                    {"pairs", "What each element adds to each transmit's image, "
                              "[transmit][channel][depth][lateral]. As large as the image times "
                              "both: choose a coarse grid."}},
        .bypassable = false,
        .tolerance = {1e-3, 0.0, 0.02},
        .role = Role::Beamforms,
        .form = RecordedForm::Beamformed,
        .defaults = beamformDefaults,
        .shown = {.curves = das::apodizationCurve, .spans = das::imageSpans},
        .code = codeOf<Beamform>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
