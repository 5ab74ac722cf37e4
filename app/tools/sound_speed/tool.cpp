// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/sound_speed/tool.hpp"

#include "app/calibration/sound_speed.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/sound_speed/panel.hpp"
#include "gpu/core/error.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kLeastSpeedPauseMs = 250;
constexpr std::size_t kFrames = 25; ///< in the median
constexpr const char* kSpeedKey = "speed_of_sound";

bool hasSpeed(const StageState& stage) { return stage.type->table.find(kSpeedKey) != nullptr; }

} // namespace

struct SpeedTool::Job {
    FrameSpec raw;
    Backend backend = Backend::Cpu;
    int gpu = 0;
    std::unique_ptr<SoundSpeedEstimator> estimator = {};
    std::vector<std::byte> frame = {};
};

namespace tools {

ToolType sound_speed();
ToolType sound_speed() { return toolType<SpeedPanel, SpeedTool>("sound_speed", "Speed of sound"); }

} // namespace tools

SpeedTool::SpeedTool(SpeedPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_runner(bench, kLeastSpeedPauseMs) {
    connect(&m_runner, &ProbeRunner::due, this, &SpeedTool::estimateIfNew);
    connect(&bench, &Workbench::recordingChanged, this, &SpeedTool::forget);
    connect(&bench, &Workbench::pipelineChanged, this, &SpeedTool::followPipeline);
    connect(&bench, &Workbench::framePresented, this, &SpeedTool::request);
    connect(&panel, &SpeedPanel::cameIntoSight, this, &SpeedTool::request);
    connect(&panel, &SpeedPanel::useWanted, this, &SpeedTool::use);
}

void SpeedTool::forget() {
    m_job.reset();
    m_last.clear();
    m_refused.clear();
    m_shown = -1;
    m_panel.clear();
    followPipeline();
    request();
}

void SpeedTool::request() {
    if (m_bench.isOpen() && m_panel.isSeen() && m_refused.empty()) m_runner.request();
}

void SpeedTool::followPipeline() {
    if (!m_bench.isOpen()) return;
    double inUse = 0.0;
    for (const StageState& stage : m_bench.snapshot()->stages)
        if (hasSpeed(stage)) inUse = std::get<double>(stage.params.get(kSpeedKey));
    m_panel.setInUse(inUse);
}

void SpeedTool::estimateIfNew() {
    if (!m_bench.isOpen() || !m_panel.isSeen() || m_shown == m_bench.shownFrame()) return;
    if (!m_job) {
        const auto backend = m_bench.backend();
        m_job = std::make_shared<Job>(Job{m_bench.recording().frame, backend.backend, backend.gpu});
    }
    auto found = std::make_shared<sound_speed::Estimate>();
    auto frame = std::make_shared<std::int64_t>(-1);
    m_runner.start({.prepare =
                        [job = m_job] {
                            if (job->estimator) return;
                            chooseBackend(nameOf(job->backend), job->gpu); // for this thread
                            job->estimator = std::make_unique<SoundSpeedEstimator>(
                                job->backend, job->raw, sound_speed::Search{});
                            job->frame.resize(job->raw.bytes());
                        },
                    .take =
                        [job = m_job, frame](const ProbedFrame& shown) {
                            std::memcpy(job->frame.data(), shown.samples, job->frame.size());
                            *frame = shown.index;
                            return true;
                        },
                    .compute =
                        [job = m_job, found] {
                            chooseBackend(nameOf(job->backend), job->gpu); // for this thread
                            *found = job->estimator->estimate(job->frame);
                        },
                    .accept =
                        [this, found, frame](const ProbeOutcome& outcome) {
                            if (outcome.taken && outcome.problem.empty())
                                return accept(*found, *frame);
                            if (outcome.problem.empty()) return;
                            m_refused = outcome.problem;
                            m_panel.clear(m_bench.inLabels(outcome.problem));
                        }});
}

void SpeedTool::accept(const sound_speed::Estimate& found, std::int64_t frame) {
    m_shown = frame;
    m_last.push_back(found);
    if (m_last.size() > kFrames) m_last.erase(m_last.begin());
    const SoundSpeedOfFrames all = ofFrames(m_last);
    const bool isKnown = all.sure > 0;
    m_panel.setFigures({.triedMps = found.triedMps,
                        .unevenness = found.unevenness,
                        .foundMps = found.speedMps,
                        .doubt = QString::fromStdString(found.doubt),
                        .medianMps = isKnown ? all.speedMps : 0.0,
                        .errorMps = all.errorMps,
                        .frames = static_cast<int>(all.sure)});
    request();
}

void SpeedTool::use() {
    const SoundSpeedOfFrames all = ofFrames(m_last);
    if (!m_bench.isOpen() || all.sure == 0) return;
    const double speed = std::round(10.0 * all.speedMps) / 10.0;
    std::vector<Workbench::Value> values;
    for (const StageState& stage : m_bench.snapshot()->stages)
        if (hasSpeed(stage)) values.push_back({stage.id, kSpeedKey, speed});
    const QString refused =
        m_bench.edit({"speed of sound", {}, "estimated speed of sound"}, values);
    if (!refused.isEmpty()) m_bench.fail(refused);
}

} // namespace echolux
