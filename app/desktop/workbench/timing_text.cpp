// SPDX-License-Identifier: GPL-3.0-or-later
// Times as words, bars and JSON.
#include "app/desktop/workbench/timing_text.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/lab/real_time.hpp"

#include <QJsonArray>
#include <QSet>

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

namespace echolux {
namespace {

constexpr double kPauseMs = 1000.0;
const QString kUpload = QStringLiteral("Upload");

QJsonObject jsonOf(const StepTimes& times) {
    return {{"last", times.last}, {"mean", times.mean}, {"percentile_99", times.percentile99}};
}

double msFrom(Clock::time_point begin, Clock::time_point at) {
    return std::chrono::duration<double, std::milli>(at - begin).count();
}

/// Index of the first of the last frames that came without a pause.
std::size_t firstShown(const std::vector<FrameTrace>& traces) {
    std::size_t first = traces.size() - 1;
    while (first > 0 && msFrom(traces[first - 1].published, traces[first].startedAt) < kPauseMs)
        --first;
    return first;
}

/// Names of the steps of a pipeline, in their order. Steps with the same name also get an id.
class StepNames {
public:
    QString next(const Snapshot& snapshot, const std::vector<std::string>& ids) {
        QString name = stageLabel(snapshot, ids);
        if (m_given.contains(name)) name += " (" + QString::fromStdString(ids.back()) + ")";
        m_given.insert(name);
        return name;
    }

private:
    QSet<QString> m_given{kUpload};
};

/// Slots of runs come first, then slots of frames, each with its lanes. The display comes last.
using StreamKey = std::tuple<bool, int, std::size_t>;

QString nameOf(const StreamKey& key) {
    const auto& [isRun, slot, lane] = key;
    if (lane > 0) return QString("lane %1").arg(lane + 1);
    return QString(isRun ? "runs %1" : "slot %1").arg(slot + 1);
}

} // namespace

Milliseconds milliseconds(const StepTimes& times) {
    return {times.last, times.mean, times.percentile99};
}

std::vector<StageTime> stageTimes(const Snapshot& snapshot, const Statistics& now,
                                  const RunNotes& notes) {
    std::vector<StageTime> all{{kUpload, milliseconds(now.upload)}};
    StepNames names;
    for (const StageDuration& stage : now.stages) {
        const bool isKernel = stage.ids.size() > 1;
        const QString first = QString::fromStdString(stage.ids.front());
        all.push_back({names.next(snapshot, stage.ids), milliseconds(stage.ms),
                       isKernel ? stageLabels(snapshot, stage.ids) : QStringList(),
                       isKernel ? QString() : notes.value(first),
                       static_cast<std::int64_t>(stage.heldBytes)});
    }
    return all;
}

QString whyNotSeparately(const Statistics& now, Backend backend) {
    if (now.hasFusions || now.isSeparate) return {};
    return backend == Backend::Cpu
               ? "Every stage has its own time: the CPU runs none of them as one."
               : "Every stage has its own time: no stages of this pipeline run as one.";
}

std::optional<RealTimeReadouts> realTimeOf(const FrameSpec& recorded, const Statistics& now,
                                           bool playing) {
    // The first frames of a pipeline take longer: memory, caches and clocks are not warm yet.
    constexpr std::size_t kFewestFrames = 8;
    const auto rates = lab::probeRates(recorded);
    if (!rates) return std::nullopt;
    const double played = playing ? now.processedPerS : 0.0;
    const bool timed = now.frame.frames >= kFewestFrames && now.frame.mean > 0.0;
    // On a GPU frames overlap, so they come faster than the time of one frame allows.
    const double computing =
        timed ? rates->timesRealTime(std::max(1e3 / now.frame.mean, played)) : 0.0;
    return RealTimeReadouts{.computing = computing,
                            .playing = rates->timesRealTime(played),
                            .cards = lab::cardsForRealTime(computing),
                            .probeMegabytesPerS = rates->bytesPerS * 1e-6,
                            .pulseFramesPerS = rates->pulseFramesPerS,
                            .depthMm = rates->depthM * 1e3};
}

QJsonObject timesJson(const Statistics& now) {
    QJsonArray steps;
    for (const StageDuration& stage : now.stages) {
        QJsonArray ids;
        for (const std::string& id : stage.ids) ids.append(QString::fromStdString(id));
        QJsonObject step = jsonOf(stage.ms);
        step["stages"] = ids;
        step["held_bytes"] = static_cast<qint64>(stage.heldBytes);
        steps.append(step);
    }
    return {{"unit", "ms"},
            {"frame", jsonOf(now.frame)},
            {"upload", jsonOf(now.upload)},
            {"steps", steps},
            {"separately", now.isSeparate}};
}

Timeline timelineOf(const Snapshot& snapshot, const std::vector<FrameTrace>& traces) {
    if (traces.empty()) return {};
    const std::size_t first = firstShown(traces);
    const Clock::time_point origin = traces[first].startedAt;
    std::map<StreamKey, std::vector<TimelineBar>> streams;
    TimelineRow display{"display", {}};
    for (std::size_t i = first; i < traces.size(); ++i) {
        const FrameTrace& trace = traces[i];
        const std::int64_t frame = trace.frame + 1;
        const double start = msFrom(origin, trace.startedAt);
        const auto row = [&](std::size_t lane) -> std::vector<TimelineBar>& {
            return streams[{trace.count > 1, trace.slot, lane}];
        };
        row(0).push_back({kUpload, 0, frame, start, trace.uploadMs});
        StepNames names;
        for (std::size_t k = 0; k < trace.steps.size(); ++k) {
            const FrameTrace::Step& step = trace.steps[k];
            row(step.lane).push_back({names.next(snapshot, trace.ids[k]), static_cast<int>(k) + 1,
                                      frame, start + step.startMs, step.ms});
        }
        if (trace.shown) {
            const double published = msFrom(origin, trace.published);
            display.bars.push_back(
                {"Display", -1, frame, published, msFrom(trace.published, *trace.shown)});
        }
    }
    Timeline timeline;
    for (auto& [key, bars] : streams) timeline.push_back({nameOf(key), std::move(bars)});
    timeline.push_back(std::move(display));
    return timeline;
}

} // namespace echolux
