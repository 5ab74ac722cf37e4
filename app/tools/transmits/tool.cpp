// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which transmits are imaged next, and shows their images.
#include "app/tools/transmits/tool.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/transmit_imager.hpp"
#include "app/tools/transmits/panel.hpp"
#include "app/tools/transmits/probe.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kLeastPauseMs = 200;
constexpr std::int64_t kBatchMs = 250; ///< approximate time of one batch
constexpr std::size_t kFewestAtOnce = 4;
constexpr double kUsualRangeDb = 60.0;
constexpr const char* kTransmitMask = "transmits";
constexpr const char* kTransmitAperture = "transmit_aperture";

double shownRangeDb(const Snapshot& snapshot) {
    const auto& range = snapshot.output().valueRange;
    const bool decibels = range && range->unit == "dB" && range->max > range->min;
    return decibels ? range->max - range->min : kUsualRangeDb;
}

} // namespace

namespace tools {

ToolType transmits();
ToolType transmits() {
    return toolType<TransmitThumbnails, TransmitsTool>("transmits", "Transmits");
}

} // namespace tools

TransmitsTool::TransmitsTool(TransmitThumbnails& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_runner(bench, kLeastPauseMs),
      m_imager(std::make_shared<TransmitImager>()) {
    connect(&bench, &Workbench::recordingChanged, this, &TransmitsTool::forgetRecording);
    connect(&bench, &Workbench::pipelineChanged, this, [this] {
        if (isSeen()) syncFromPipeline();
    });
    connect(&bench, &Workbench::framePresented, this, &TransmitsTool::requestImages);
    connect(&m_runner, &ProbeRunner::due, this, &TransmitsTool::makeImages);
    connect(&panel, &TransmitThumbnails::cameIntoSight, this, &TransmitsTool::syncFromPipeline);
    connect(&panel, &TransmitThumbnails::remedyChosen, this, &TransmitsTool::imageWithEachTransmit);
    connect(&panel.grid(), &ThumbnailGrid::sightChanged, this, &TransmitsTool::requestImages);
    connect(&panel.grid(), &ThumbnailGrid::edited, this, &TransmitsTool::editMask);
}

void TransmitsTool::forgetRecording() {
    m_chain = nullptr;
    m_made.clear();
    m_atOnce = kMostAtOnce;
    m_panel.grid().setNames({});
}

/// While the panel is hidden the chain is not updated. It is updated when the panel becomes
/// visible.
bool TransmitsTool::isSeen() {
    if (!m_panel.isSeen()) m_chain = nullptr;
    return m_panel.isSeen();
}

void TransmitsTool::syncFromPipeline() {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    m_slice = m_bench.chosenBscan();
    try {
        m_chain = std::make_shared<const TransmitChain>(transmitChain(*snapshot, m_slice));
    } catch (const OwnLinesAlone& refusal) {
        m_chain = nullptr;
        m_panel.setReason(m_bench.inLabels(refusal.what()), "Image all pixels with each transmit");
        return;
    } catch (const Error& error) {
        m_chain = nullptr;
        m_panel.setReason(m_bench.inLabels(error.what()));
        return;
    }
    const StageState& beamform = snapshot->stage(m_chain->beamform);
    const QStringList names = transmitNames(*beamform.input().acquisition);
    if (std::ssize(m_made) != names.size()) {
        m_panel.grid().setNames(names);
        m_made.assign(static_cast<std::size_t>(names.size()), {});
    }
    const Mask mask = toMask(beamform.params.get(kTransmitMask));
    std::vector<bool> states;
    for (qsizetype i = 0; i < names.size(); ++i) states.push_back(mask.isOn(i, names.size()));
    m_panel.setReason({});
    m_panel.setStates(std::move(states));
    m_panel.setRange(shownRangeDb(*snapshot));
    requestImages();
}

void TransmitsTool::editMask() {
    if (m_chain == nullptr) return;
    std::vector<double> entries;
    for (const bool on : m_panel.grid().states()) entries.push_back(on ? 1.0 : 0.0);
    const bool all = std::ranges::find(entries, 0.0) == entries.end();
    const ParamValue value = all ? ParamValue(std::string("all")) : ParamValue(std::move(entries));
    m_bench.edit(m_chain->beamform, kTransmitMask, value);
    syncFromPipeline(); // also after a refused edit
}

void TransmitsTool::imageWithEachTransmit() {
    if (!m_bench.isOpen()) return;
    const StageState* beamform = m_bench.snapshot()->findRole(Role::Beamforms);
    if (beamform == nullptr) return;
    m_bench.edit(beamform->id, kTransmitAperture, std::string("everywhere"));
}

void TransmitsTool::requestImages() {
    if (m_chain != nullptr && isSeen()) m_runner.request();
}

void TransmitsTool::makeImages() {
    if (m_chain == nullptr || !isSeen()) return;
    if (m_bench.chosenBscan() != m_slice) syncFromPipeline();
    if (m_chain == nullptr) return;
    std::vector<std::int64_t> transmits = staleInSight(m_bench.shownFrame());
    if (transmits.empty()) return;
    if (transmits.size() > m_atOnce) transmits.resize(m_atOnce);
    std::ranges::sort(transmits);
    auto batch = std::make_shared<TransmitBatch>();
    FrameProbe probe = transmitsProbe(m_imager, m_chain, std::move(transmits), batch);
    probe.accept = [this, batch](const ProbeOutcome& outcome) { show(*batch, outcome); };
    m_runner.start(std::move(probe));
}

/// Visible transmits whose images are not of that frame, the oldest images first.
std::vector<std::int64_t> TransmitsTool::staleInSight(std::int64_t frame) const {
    std::vector<std::int64_t> stale;
    for (const int transmit : m_panel.grid().inSight()) {
        const Made& made = m_made[static_cast<std::size_t>(transmit)];
        if (made.frame != frame || made.key != m_chain->key) stale.push_back(transmit);
    }
    std::ranges::stable_sort(stale, {}, [this](std::int64_t transmit) {
        return m_made[static_cast<std::size_t>(transmit)].turn;
    });
    return stale;
}

void TransmitsTool::show(const TransmitBatch& batch, const ProbeOutcome& outcome) {
    if (m_chain == nullptr) return;
    m_panel.setProblem(outcome.problem.empty() ? QString() : m_bench.inLabels(outcome.problem));
    if (!batch.pictures.empty()) {
        ++m_turn;
        m_panel.grid().setAspect(batch.aspect);
        for (const auto& [transmit, picture] : batch.pictures) {
            // After an edit there may be fewer transmits.
            if (static_cast<std::size_t>(transmit) >= m_made.size()) continue;
            m_panel.grid().setPicture(transmit, picture);
            m_made[static_cast<std::size_t>(transmit)] = {batch.frame, batch.key, m_turn};
        }
        const std::int64_t fitting =
            std::ssize(batch.pictures) * kBatchMs / std::max<std::int64_t>(outcome.ms, 1);
        m_atOnce = std::clamp(static_cast<std::size_t>(fitting), kFewestAtOnce, kMostAtOnce);
    }
    // Where the images' frame is no longer shown, the next images wait for the next frame.
    if (outcome.problem.empty() && !staleInSight(batch.frame).empty()) requestImages();
}

} // namespace echolux
