// SPDX-License-Identifier: GPL-3.0-or-later
// A part holds the frames at the pipeline's cut. Joining runs the stages behind it, and the writer.
#include "app/export/parts.hpp"

#include "app/export/export_run.hpp"
#include "app/export/file_sha256.hpp"
#include "app/export/parts_recording.hpp"
#include "app/pipeline/frame_cut.hpp"
#include "app/pipeline/past_images.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

namespace echolux {
namespace {

namespace fs = std::filesystem;

fs::path absolute(const std::optional<fs::path>& path) {
    return path ? fs::absolute(*path) : fs::path();
}

/// The texts that may name files, with the SHA-256 of those that do: a file of delays, for example.
std::string filesOf(const Snapshot& snapshot) {
    std::string hashes;
    for (const StageState& stage : snapshot.stages) {
        for (const ParamRow& row : stage.type->table.rows()) {
            if (row.type != ParamType::Text) continue;
            const ParamValue value = stage.params.get(row.key);
            const auto& text = std::get<std::string>(value);
            std::error_code none;
            if (!text.empty() && fs::is_regular_file(text, none))
                hashes += fileSha256(QString::fromStdString(text)).toStdString() + '\n';
        }
    }
    return hashes;
}

/// The pipeline as text. Throws Error where the text does not give the same pipeline.
std::string textOf(const OpenedExport& opened, const std::string& outputOf) {
    if (!opened.pipeline) return {};
    const std::string text = toToml(*opened.pipeline);
    const SnapshotPtr read = snapshotOf(parsePipeline(text, "part"), opened.raw, outputOf);
    const auto& stages = opened.snapshot->stages;
    if (sameGraph(*read, *opened.snapshot) &&
        std::ranges::equal(stages, read->stages, [](const StageState& a, const StageState& b) {
            return a.params == b.params && a.hasSwitchesOf(b);
        }))
        return text;
    throw Error(fmt::format("Pipeline '{}' changes when it is written as a file, so it cannot be "
                            "computed in parts; save it, and name the file with --pipeline.",
                            opened.pipeline->name));
}

std::string hashOf(const fs::path& recording) {
    return fileSha256(QString::fromStdString(recording.string())).toStdString();
}

/// What a part says of its frames. `frame` is a frame that is handed over.
PartHead headOf(const OpenedExport& opened, const FrameFlow& whole, const FrameCut& cut,
                const FrameSpec& frame, const PartContext& context) {
    const RecordingInfo& info = opened.recording->info();
    PartHead head;
    head.recording = fs::absolute(info.path);
    head.plugins = context.plugins;
    head.program = context.program;
    const std::string facts =
        context.facts(info) + (opened.snapshot ? filesOf(*opened.snapshot) : "");
    head.facts =
        QCryptographicHash::hash(QByteArray::fromStdString(facts), QCryptographicHash::Sha256)
            .toHex()
            .toStdString();
    head.cut = cut.at;
    head.frame = frame.describe();
    head.frameBytes = frame.bytes();
    head.recordingFrames = whole.frameCount();
    head.ensemble = whole.windows().each;
    head.perWindow = cut.perWindow;
    return head;
}

/// Throws Error where the frames begin or end within an ensemble.
void checkWindows(const FrameFlow& whole, const ExportFrames& frames, const std::string& pipeline) {
    const EnsembleWindows& windows = whole.windows();
    const std::int64_t first = windows.firstOf(frames.first);
    const std::int64_t last = windows.lastOf(frames.last);
    if (first == frames.first && last == frames.last) return;
    throw Error(fmt::format("Pipeline '{}' images {} frames together, so a part cannot hold frames "
                            "{} to {}; take --frames {}:{}.",
                            pipeline, windows.each, frames.first + 1, frames.last + 1, first + 1,
                            last + 1));
}

ExportFrames framesOf(const ExportRequest& request, const FrameFlow& whole) {
    const ExportFrames frames = request.frames.value_or(ExportFrames{0, whole.frameCount() - 1});
    whole.check(frames.first, frames.last);
    return frames;
}

/// Keeps what delivers the frames of the parts while they are written.
struct Joined {
    std::unique_ptr<PartsRecording> recording;
    std::unique_ptr<FrameFlow> flow;
};

} // namespace

std::vector<ExportFrames> partRanges(const ExportRequest& request, std::int64_t each) {
    const OpenedExport opened = openExport(request, false);
    cutFrames(opened.snapshot, opened.raw, request.backend);
    const FrameFlow whole(*opened.recording, opened.snapshot, request.backend);
    const ExportFrames asked = framesOf(request, whole);
    const EnsembleWindows& windows = whole.windows();
    const std::int64_t step = (each + windows.each - 1) / windows.each * windows.each;
    const std::int64_t end = windows.lastOf(asked.last);
    std::vector<ExportFrames> ranges;
    for (std::int64_t at = windows.firstOf(asked.first); at <= end; at += step)
        ranges.push_back({at, std::min(at + step - 1, end)});
    return ranges;
}

ExportResult exportPart(const ExportRequest& request, const PartContext& context,
                        const ExportProgress& progress) {
    OutputFiles files(request.target, request.file, request.replace);
    const OpenedExport opened = openExport(request, false);
    const FrameCut cut = cutFrames(opened.snapshot, opened.raw, request.backend);
    const FrameFlow whole(*opened.recording, opened.snapshot, request.backend);
    FrameFlow flow(*opened.recording, cut.head, request.backend);
    const ExportFrames frames = framesOf(request, whole);
    if (opened.snapshot) checkWindows(whole, frames, opened.snapshot->name);
    PartHead head = headOf(opened, whole, cut, flow.frame(), context);
    head.recordingHash = hashOf(request.file);
    head.sidecar = absolute(request.open.sidecar);
    head.calibration = absolute(request.open.calibration);
    head.track = request.open.track ? static_cast<std::int64_t>(*request.open.track) + 1 : 0;
    head.pipeline = textOf(opened, request.outputOf);
    head.outputOf = request.outputOf;
    head.backend = request.backend;
    head.computedOn = context.computedOn(request.backend);
    head.range = frames;
    ExportResult result;
    result.what = "part of an export";
    result.remarks = opened.recording->info().warnings;
    result.frames = whole.count(frames.first, frames.last);
    PartWriter writer(files, head);
    result.cancelled = !passFrames(flow, frames, head.frames(), writer, progress);
    if (!result.cancelled) result.files = files.commit();
    return result;
}

ExportResult joinParts(const JoinRequest& request, const PartContext& context,
                       const ExportProgress& progress) {
    const std::vector<NamedPart> parts = agreeingParts(request.parts);
    const PartHead& shared = parts.front().head;
    ExportRequest whole;
    whole.file = request.recording.value_or(shared.recording);
    if (!shared.sidecar.empty()) whole.open.sidecar = shared.sidecar;
    if (!shared.calibration.empty()) whole.open.calibration = shared.calibration;
    if (shared.track > 0) whole.open.track = static_cast<std::size_t>(shared.track - 1);
    if (!shared.pipeline.empty())
        whole.pipeline = parsePipeline(shared.pipeline, parts.front().path.string());
    whole.frames = request.frames.value_or(ExportFrames{0, shared.recordingFrames - 1});
    whole.outputOf = shared.outputOf;
    whole.target = request.target;
    whole.replace = request.replace;
    whole.look = request.look;
    whole.framesPerSecond = request.framesPerSecond;
    whole.columnM = request.columnM;
    whole.backend = shared.backend;
    whole.program = request.program;
    const std::string hash = hashOf(whole.file);
    if (!hash.empty()) { // else opening it says why
        PartHead now = shared;
        now.recordingHash = hash;
        checkStillTrue(parts.front(), now);
    }
    Joined joined;
    const auto ask = [&](const OpenedExport& opened, const FrameFlow& flow,
                         const ExportFrames& frames) {
        const FrameCut cut = cutFrames(opened.snapshot, opened.raw, shared.backend);
        const FrameSpec frame = cut.head ? oneFrameOf(cut.head->output()) : opened.raw;
        PartHead now = headOf(opened, flow, cut, frame, context);
        now.recordingHash = hash;
        now.track = shared.track;
        now.outputOf = shared.outputOf;
        now.pipeline = shared.pipeline;
        now.backend = shared.backend;
        // Without further stages nothing is computed here.
        now.computedOn = cut.tail ? context.computedOn(shared.backend) : shared.computedOn;
        checkStillTrue(parts.front(), now);
        const EnsembleWindows& windows = flow.windows();
        const ExportFrames covered{windows.firstOf(frames.first), windows.lastOf(frames.last)};
        checkCoverage(parts, covered);
        if (covered.first > 0 && cut.tail && imagesBefore(*cut.tail) > 0)
            throw Error(fmt::format("The windows of gather need the frames before frame {}, which "
                                    "are in no part; export the parts from frame 1 on.",
                                    covered.first + 1));
        joined.recording = std::make_unique<PartsRecording>(parts, frame, opened.recording->info());
        joined.flow = std::make_unique<FrameFlow>(*joined.recording, cut.tail, shared.backend);
        const std::int64_t first = firstStored(shared);
        const std::int64_t stored = (covered.last - covered.first + 1) / windows.each;
        return OtherFrames{joined.flow.get(), {first, first + stored * cut.perWindow - 1}};
    };
    return runExport(whole, progress, ask);
}

std::vector<fs::path> pluginsOfPart(const fs::path& part) { return PartFile(part).head().plugins; }

bool isUsablePart(const fs::path& part, const std::string& program) {
    try {
        PartFile file(part);
        file.checkRest();
        return file.head().program == program;
    } catch (const Error&) {
        return false;
    }
}

} // namespace echolux
