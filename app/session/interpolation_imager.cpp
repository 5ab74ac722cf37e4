// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/interpolation_imager.hpp"

#include "app/pipeline/runner.hpp"
#include "app/pipeline/sub_chain.hpp"
#include "app/session/engine.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace echolux {
namespace {

bool has(const PipelineConfig& config, const std::string& id) {
    return std::ranges::find(config.stages, id, &StageConfig::id) != config.stages.end();
}

/// The chain with this way of reading.
SnapshotPtr reading(const Snapshot& chain, const std::string& beamform,
                    const BeamformReading& reading) {
    Params params = chain.stage(beamform).params;
    auto& values = params.as<BeamformParams>();
    values.interpolation = reading.kind;
    const char* taps = nullptr;
    switch (reading.kind) {
    case DelayInterpolation::Lagrange:
        values.lagrangeOrder = reading.taps - 1;
        taps = "lagrange_order";
        break;
    case DelayInterpolation::Sinc:
        values.sincTaps = reading.taps;
        taps = "sinc_taps";
        break;
    case DelayInterpolation::LeastSquares:
        values.leastSquaresTaps = reading.taps;
        taps = "least_squares_taps";
        break;
    default: break;
    }
    constexpr const char* kKind = "interpolation";
    SnapshotPtr next = withValue(chain, beamform, kKind, params.get(kKind));
    return taps != nullptr ? withValue(*next, beamform, taps, params.get(taps)) : next;
}

} // namespace

AmplitudeChain amplitudeChain(const Snapshot& snapshot) {
    if (snapshot.input.spectrometer != nullptr || snapshot.input.acquisition == nullptr)
        throw Error("Spectra of light are not beamformed; the comparison is of recordings of "
                    "ultrasound channel data.");
    const StageState* beamform = snapshot.findWith<BeamformParams>();
    if (beamform == nullptr)
        throw Error("This pipeline has no stage Beamform, which reads between samples.");
    if (snapshot.ensemble() > 1 || beamform->input().isEnsemble())
        throw Error("This pipeline beamforms ensembles of frames; the comparison is of single "
                    "frames.");
    const StageState* amplitudes = snapshot.findTap(Tap::Amplitude);
    if (amplitudes == nullptr)
        throw Error("This pipeline has no stage Envelope, whose images are compared.");
    AmplitudeChain chain{.raw = snapshot.input,
                         .config = chainTo(snapshot, amplitudes),
                         .beamform = beamform->id,
                         .amplitudes = amplitudes->id,
                         .key = {}};
    if (!has(chain.config, chain.beamform))
        throw Error("The amplitudes of this pipeline do not come from its stage Beamform.");
    const FrameSpec& image = amplitudes->plan.outputs.front();
    if (image.find(AxisName::Elevation) != nullptr || image.axes.size() != 2 ||
        image.dtype != DType::F32)
        throw Error("The comparison is of plane images; set the Grid of Beamform to Image.");
    chain.key = toToml(chain.config);
    return chain;
}

struct InterpolationImager::Work {
    explicit Work(Backend backend) : runner(backend, 1) {}
    AmplitudeChain chain;
    SnapshotPtr planned;
    Runner runner;
    Buffer raw;
};

InterpolationImager::InterpolationImager(Backend backend, int gpu)
    : m_backend(backend), m_gpu(gpu) {}

InterpolationImager::~InterpolationImager() = default;

void InterpolationImager::prepare(const AmplitudeChain& chain) {
    EnginePlace(m_backend, m_gpu).select();
    m_work = std::make_unique<Work>(m_backend);
    m_work->chain = chain;
    m_work->planned = instantiate(chain.config, chain.raw);
    m_work->runner.setCapturing(false); // each frame is timed step by step
    m_work->runner.timeEveryFrame();
    m_work->runner.apply(m_work->planned, {chain.beamform, chain.amplitudes});
    m_work->raw = Buffer(stagingMemory(m_backend), m_work->planned->input.bytes());
}

void InterpolationImager::take(const std::byte* frame) {
    std::memcpy(m_work->raw.data(), frame, m_work->raw.bytes());
}

InterpolatedImages InterpolationImager::images(std::span<const BeamformReading> readings,
                                               const std::stop_token& stop) {
    const std::unique_ptr<Work> work = std::move(m_work);
    Runner& runner = work->runner;
    InterpolatedImages made;
    for (const BeamformReading& each : readings) {
        if (stop.stop_requested()) return {};
        const SnapshotPtr snapshot = reading(*work->planned, work->chain.beamform, each);
        runner.apply(snapshot, {work->chain.beamform, work->chain.amplitudes});
        const std::size_t stage = snapshot->indexOf(work->chain.beamform);
        const auto step = std::ranges::find_if(runner.steps(), [&](const Step& one) {
            return std::ranges::find(one.stages, stage) != one.stages.end();
        });
        InterpolatedImage image;
        for (int run = 0; run < kRuns; ++run) {
            runner.reset();
            const int slot = runner.enqueue({.raw = work->raw.as<std::byte>()});
            runner.wait(slot);
            const double ms =
                runner.timing(slot).stepMs[static_cast<std::size_t>(step - runner.steps().begin())];
            image.beamformMs = run == 0 ? ms : std::min(image.beamformMs, ms);
            if (run == 0) {
                const ConstTensorView found = runner.keptOutput(slot, work->chain.amplitudes);
                made.spec = *found.spec;
                image.amplitudes.resize(static_cast<std::size_t>(found.spec->count()));
                download(runner.exec(slot), image.amplitudes.data(), found.data,
                         found.spec->bytes());
                runner.drain();
            }
            if (ms > kEnoughMs) break;
        }
        made.images.push_back(std::move(image));
    }
    return made;
}

} // namespace echolux
