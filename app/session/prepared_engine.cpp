// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares an engine, from the file to its first image.
#include "app/session/prepared_engine.hpp"

#include "app/session/checked_image.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "gpu/core/error.hpp"

#include <utility>

namespace echolux {

Engine::Callbacks CallbackRelay::callbacksOf(const std::shared_ptr<CallbackRelay>& relay) {
    return {[relay](std::size_t view) { relay->imageReady(view); },
            [relay](const std::string& sentence) { relay->failed(sentence); },
            [relay] { relay->looked(); },
            [relay](const std::string& sentence) { relay->warned(sentence); },
            [relay] { relay->volumeChanged(); }};
}

bool CallbackRelay::waitForImage(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    const bool happened =
        m_happened.wait(lock, stop, [this] { return m_imaged.any() || m_failure.has_value(); });
    if (m_failure) throw Error(*std::exchange(m_failure, std::nullopt));
    return happened;
}

void CallbackRelay::attach(Engine::Callbacks target) {
    const std::lock_guard lock(m_mutex);
    m_target = std::move(target);
    for (std::size_t view = 0; view < m_imaged.size(); ++view)
        if (m_imaged[view]) m_target->imageReady(view);
    if (m_volumeChanged && m_target->volumeChanged) m_target->volumeChanged();
    if (m_failure) m_target->failed(*std::exchange(m_failure, std::nullopt));
    if (!m_target->warned) return;
    for (const std::string& warning : std::exchange(m_warnings, {})) m_target->warned(warning);
}

void CallbackRelay::detach() {
    const std::lock_guard lock(m_mutex);
    m_target.reset();
}

void CallbackRelay::imageReady(std::size_t view) {
    const std::lock_guard lock(m_mutex);
    m_imaged[view] = true;
    if (m_target) m_target->imageReady(view);
    m_happened.notify_all();
}

void CallbackRelay::volumeChanged() {
    const std::lock_guard lock(m_mutex);
    m_volumeChanged = true;
    if (m_target && m_target->volumeChanged) m_target->volumeChanged();
}

void CallbackRelay::failed(const std::string& sentence) {
    const std::lock_guard lock(m_mutex);
    if (m_target) {
        m_target->failed(sentence);
    } else {
        m_failure = sentence;
    }
    m_happened.notify_all();
}

void CallbackRelay::looked() {
    const std::lock_guard lock(m_mutex);
    if (m_target) m_target->looked();
}

void CallbackRelay::warned(const std::string& sentence) {
    const std::lock_guard lock(m_mutex);
    if (!m_target) {
        m_warnings.push_back(sentence);
    } else if (m_target->warned) {
        m_target->warned(sentence);
    }
}

std::unique_ptr<Engine> makeBeside(const std::weak_ptr<Engine>& open, Suspension& suspended,
                                   const std::function<std::unique_ptr<Engine>()>& make) {
    std::shared_ptr<Engine> held;
    try {
        return make();
    } catch (const OutOfMemory&) {
        held = open.lock();
        if (held == nullptr) throw;
    }
    suspended = Suspension(std::move(held));
    return make();
}

std::shared_ptr<const Spectrometer>
calibrated(const Spectrometer& own, const Calibration& calibration, const FrameSpec& raw) {
    AppliedCalibration result = applied(calibration, own, raw.sizeOf(AxisName::Sample),
                                        calibration.title.empty() ? "kept" : calibration.title);
    return std::make_shared<const Spectrometer>(std::move(result.facts));
}

std::string OpenRequest::openingText() const {
    return (hasWriter(file.native()) ? "Waiting for the writer of " : "Opening ") +
           file.filename().string();
}

std::unique_ptr<Recording> openFrames(const OpenRequest& request, const EnginePlace& place,
                                      const std::stop_token& stop) {
    if (!request.isLive()) return openRecording(request.file, request.options);
    place.select(); // the memory of the frames is pinned there
    auto recording = openLive(request.file.native(), place.backend,
                              {.memory = stagingMemory(place.backend),
                               .seconds = request.keptSeconds,
                               .mostBytes = request.mostKeptBytes,
                               .began = [place] { place.select(); }},
                              stop);
    if (request.options.calibration) recording->calibrate(*request.options.calibration);
    recording->inspectFirstFrame();
    return recording;
}

PreparedEngine prepareEngine(const OpenRequest& request, const EnginePlace& place,
                             const std::stop_token& stop, const std::weak_ptr<Engine>& open) {
    PreparedEngine prepared;
    prepared.relay = std::make_shared<CallbackRelay>();
    prepared.engine = makeBeside(open, prepared.suspended, [&]() -> std::unique_ptr<Engine> {
        auto recording = openFrames(request, place, stop);
        if (stop.stop_requested()) return nullptr;
        findInitialLevels(*recording);
        FrameSpec raw = recording->info().frame;
        if (request.calibration && raw.spectrometer)
            raw.spectrometer = calibrated(*raw.spectrometer, *request.calibration, raw);
        const bool chosen = !request.pipeline && request.choosePipeline;
        SnapshotPtr snapshot = imagingSnapshot(
            raw, chosen ? std::optional(request.choosePipeline(raw)) : request.pipeline);
        return std::make_unique<Engine>(std::move(recording), std::move(snapshot), place,
                                        CallbackRelay::callbacksOf(prepared.relay), request.looks);
    });
    if (!prepared.engine) return {};
    if (!prepared.relay->waitForImage(stop)) return {};
    return prepared;
}

} // namespace echolux
