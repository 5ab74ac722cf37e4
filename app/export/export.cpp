// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a request into files: chooses frames and writer. One thread computes frames and one writes
// them.
#include "app/export/export.hpp"

#include "app/dataset/carried/npz_carried.hpp"
#include "app/dataset/carried/zea_carried.hpp"
#include "app/export/export_run.hpp"
#include "app/export/frame_queue.hpp"
#include "app/export/subject.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "gpu/beamform/beamform_sent.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "gpu/stages/spectral_doppler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <system_error>
#include <utility>

namespace echolux {
namespace {

/// The frames that are written by default.
enum class Usual { First, All, Volume };

struct Ending {
    std::string_view ending;
    std::string_view what;
    bool hasLook;
    bool oneFrame; ///< the file holds one frame only
    bool cine;     ///< encoded by a library that may be missing
    Usual usual;
    MakeWriter make;
};

// Where two endings fit, the longer one counts.
constexpr std::array kEndings{
    Ending{".png", "PNG picture", true, true, false, Usual::First, makePictureWriter},
    Ending{".tif", "TIFF image", true, false, false, Usual::First, makeTiffWriter},
    Ending{".tiff", "TIFF image", true, false, false, Usual::First, makeTiffWriter},
    Ending{".gif", "GIF cine", true, false, false, Usual::All, makeGifWriter},
    Ending{".mp4", "MP4 cine", true, false, true, Usual::All, makeCineWriter},
    Ending{".webm", "WebM cine", true, false, true, Usual::All, makeCineWriter},
    Ending{".csv", "CSV curve", false, false, false, Usual::First, makeCurveWriter},
    Ending{".wav", "WAV sound", false, false, false, Usual::All, makeWaveWriter},
    Ending{".npy", "NumPy array", false, false, false, Usual::All, makeNpyWriter},
    Ending{".npz", "NumPy archive", false, false, false, Usual::All, makeNpzWriter},
    Ending{".mat", "MATLAB 7.3 file", false, false, false, Usual::All, makeMatWriter},
    Ending{".hdf5", "zea file", false, false, false, Usual::All, makeZeaWriter},
    Ending{".h5", "zea file", false, false, false, Usual::All, makeZeaWriter},
    Ending{".uff", "USTB UFF file", false, false, false, Usual::All, makeUffWriter},
    Ending{".nrrd", "NRRD image", false, false, false, Usual::Volume, makeNrrdWriter},
    Ending{".mha", "MetaImage", false, false, false, Usual::Volume, makeMetaImageWriter},
    Ending{".nii", "NIfTI image", false, false, false, Usual::Volume, makeNiftiWriter},
    Ending{".nii.gz", "NIfTI image", false, false, false, Usual::Volume, makeNiftiWriter},
    Ending{".echolux.h5", "Echolux recording", false, false, false, Usual::All, makeNativeWriter},
};

/// Null where the name has none of them.
const Ending* knownEnding(const std::filesystem::path& target) {
    std::string name = target.filename().string();
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const Ending* found = nullptr;
    for (const Ending& each : kEndings) {
        const bool fits = name.ends_with(each.ending) && name.size() > each.ending.size();
        if (fits && (found == nullptr || each.ending.size() > found->ending.size())) found = &each;
    }
    return found;
}

const Ending& usualEndingOf(const std::filesystem::path& target) {
    const Ending* found = knownEnding(target);
    if (found != nullptr) return *found;
    std::vector<std::string_view> known;
    for (const Ending& each : kEndings) known.push_back(each.ending);
    throw Error(fmt::format("'{}' names no kind of file that is written; end it in one of {}.",
                            target.string(), fmt::join(known, ", ")));
}

/// The number of frames in one volume of B-scans; 1 where each frame is complete.
std::int64_t framesPerVolume(const FrameSpec& frame, const RecordingInfo& info) {
    const bool bscans = frame.axes.size() == 2 && frame.find(AxisName::Depth) != nullptr;
    return bscans ? std::max<std::int64_t>(info.frame.stack.bscansPerVolume, 1) : 1;
}

ExportFrames framesOf(const ExportRequest& request, const Ending& ending, const FrameFlow& flow,
                      const RecordingInfo& info) {
    if (request.frames) {
        flow.check(request.frames->first, request.frames->last);
        return *request.frames;
    }
    const std::int64_t all = flow.frameCount();
    switch (ending.usual) {
    case Usual::First: return {0, 0};
    case Usual::All: return {0, all - 1};
    case Usual::Volume: break;
    }
    return {0, std::min(framesPerVolume(flow.frame(), info), all) - 1};
}

/// The size without compression is an upper bound. Where the disk has less space, the export is
/// refused before the work.
void checkSpace(const OutputFiles& files, const ExportSubject& subject, const Ending& ending) {
    if (ending.hasLook || ending.ending == ".csv" || ending.ending == ".wav") return;
    std::error_code none;
    const auto parent = files.partial().parent_path();
    const auto space = std::filesystem::space(parent.empty() ? "." : parent, none);
    if (none) return;
    const double needed =
        static_cast<double>(subject.frame.bytes()) * static_cast<double>(subject.frames);
    if (needed <= static_cast<double>(space.available)) return;
    const auto inWords = [](double bytes) {
        return bytes < 1e9 ? fmt::format("{:.3g} MB", 1e-6 * bytes)
                           : fmt::format("{:.1f} GB", 1e-9 * bytes);
    };
    throw Error(fmt::format("Cannot write '{}': {} frames take up to {}, but {} are free; choose "
                            "fewer frames or another place.",
                            files.target().string(), subject.frames, inWords(needed),
                            inWords(static_cast<double>(space.available))));
}

/// What the file says besides, of the exported frames. Facts of samples and of where they lie, such
/// as the gain over time, hold for recorded frames only.
CarriedFacts carriedBy(const ExportSubject& subject, const Recording& recording) {
    CarriedFacts carried = carriedFacts(recording);
    const bool recorded = subject.isRecorded();
    std::erase_if(carried.facts, [&](const CarriedFact& fact) {
        constexpr std::array kOfSamples{"scan/", "map/", "metrics/", "track/",
                                        "metadata/probe_pose/"};
        const auto starts = [&](const char* group) { return fact.name.starts_with(group); };
        return !recorded &&
               (carried.family != kZeaFamily || std::ranges::any_of(kOfSamples, starts) ||
                (fact.perFrame && subject.ensemble != 1));
    });
    return ofFrames(std::move(carried), subject.firstFrame, subject.frames);
}

/// Says what a file of channel data loses, where its kind has no place for it.
void remarkCarried(const ExportSubject& subject, const Ending& ending) {
    const bool isZea = ending.make == makeZeaWriter && subject.carried.family == kZeaFamily;
    const bool isNpz = ending.make == makeNpzWriter && subject.carried.family == kNpzFamily;
    std::vector<std::string> lost = subject.carried.left;
    for (const CarriedFact& fact : subject.carried.facts) {
        const bool kept =
            ending.make == makeNativeWriter || isNpz || (isZea && isZeaField(fact.name));
        if (!kept) lost.push_back(fact.name);
    }
    if (lost.empty() || !subject.isRecorded() || !subject.isChannelData()) return;
    constexpr std::size_t kMostNamed = 12;
    const bool more = lost.size() > kMostNamed;
    if (more) lost.resize(kMostNamed);
    subject.remarks->push_back(
        fmt::format("The file does not hold what the recording says besides: "
                    "{}{}.",
                    fmt::join(lost, ", "), more ? ", ..." : ""));
}

PipelineConfig pipelineOf(const ExportRequest& request, const FrameSpec& raw) {
    if (request.choosePipeline) return request.choosePipeline(raw);
    return request.pipeline ? *request.pipeline : defaultPipeline(raw);
}

/// The output that is written. A sound is made of the gate's pulses, whichever view is named. A
/// file without an ending, such as a part of one, is no sound.
std::string outputOf(const ExportRequest& request, const PipelineConfig& pipeline) {
    const Ending* ending = knownEnding(request.target);
    if (ending == nullptr || ending->make != makeWaveWriter) return request.outputOf;
    for (const StageConfig& stage : pipeline.stages) {
        const bool isNamed = request.outputOf.ends_with("@" + stage.id);
        const bool isFree = request.outputOf.find('@') == std::string::npos;
        if (stageType(stage.type).has<SpectralDopplerParams>() && (isNamed || isFree))
            return kGateOutput + ("@" + stage.id);
    }
    throw Error(fmt::format("Cannot write '{}': the sound is that of the gate of spectral Doppler, "
                            "and the pipeline '{}' has none; use --pipeline spectral_doppler.",
                            request.target.string(), pipeline.name));
}

ExportSubject subjectOf(const ExportRequest& request, const RecordingInfo& info, FrameSpec raw,
                        const SnapshotPtr& snapshot, const FrameFlow& flow) {
    ExportSubject subject;
    subject.frame = snapshot ? flow.frame() : std::move(raw);
    subject.wasChosen = request.frames.has_value();
    subject.frameRateHz = flow.frameRateHz();
    subject.form = snapshot ? formOf(*snapshot) : info.frame.recordedForm;
    if (snapshot) subject.beamformedAtMps = beamformedAtMps(*snapshot);
    subject.recording = info;
    subject.source = snapshot ? request.outputOf : kRecording;
    if (snapshot) subject.pipeline = snapshot->name;
    if (snapshot) subject.gate = gatePulses(*snapshot);
    subject.program = request.program;
    subject.look = request.look;
    subject.framesPerSecond = request.framesPerSecond;
    subject.columnM = request.columnM;
    return subject;
}

/// `raw`: the recorded frames that the frames of the subject are made of.
std::vector<FrameStamp> exportedStamps(const Recording& recording, const ExportFrames& raw,
                                       const ExportSubject& subject, std::int64_t window) {
    const std::int64_t count = raw.last - raw.first + 1;
    const bool slides = count - (window - 1) == subject.frames; // windows that overlap
    const std::int64_t step = slides ? 1 : subject.ensemble;
    const std::int64_t first = slides ? window - 1 : subject.ensemble - 1;
    if (first + (subject.frames - 1) * step >= count) return {};
    const std::vector<FrameStamp> all = stampsOf(recording, raw.first, count);
    std::vector<FrameStamp> stamps;
    for (std::size_t at = static_cast<std::size_t>(first);
         at < all.size() && std::ssize(stamps) < subject.frames;
         at += static_cast<std::size_t>(step))
        stamps.push_back(all[at]);
    return stamps;
}

} // namespace

std::vector<ExportEnding> exportEndings() {
    std::vector<ExportEnding> endings;
    for (const Ending& each : kEndings)
        endings.push_back({std::string(each.ending), std::string(each.what), each.hasLook,
                           !each.cine || hasCineEncoders(), each.oneFrame,
                           each.usual == Usual::All});
    return endings;
}

OpenedExport openExport(const ExportRequest& request, bool isNative) {
    OpenedExport opened{.recording = openRecording(request.file, request.open),
                        .raw = {},
                        .pipeline = {},
                        .snapshot = {}};
    findInitialLevels(*opened.recording);
    opened.raw = opened.recording->info().frame;
    if (request.spectrometer && opened.raw.spectrometer)
        opened.raw.spectrometer = request.spectrometer;
    if (request.outputOf == kRecording || (isNative && request.outputOf.empty())) return opened;
    opened.pipeline = pipelineOf(request, opened.raw);
    opened.snapshot = snapshotOf(*opened.pipeline, opened.raw, outputOf(request, *opened.pipeline));
    return opened;
}

bool passFrames(FrameFlow& flow, const ExportFrames& frames, std::int64_t of, FrameWriter& writer,
                const ExportProgress& progress) {
    bool wanted = !progress || progress(0, of);
    if (!wanted) return false;
    FrameQueue queue(writer);
    std::int64_t done = 0;
    flow.run(frames.first, frames.last, [&](std::vector<std::byte> frame) {
        if (!queue.push(std::move(frame))) return false; // writing failed; finish() reports it
        wanted = !progress || progress(++done, of);
        return wanted;
    });
    queue.finish(wanted);
    return wanted;
}

ExportResult exportRecording(const ExportRequest& request, const ExportProgress& progress) {
    return runExport(request, progress, {});
}

ExportResult runExport(const ExportRequest& request, const ExportProgress& progress,
                       const AskOtherFrames& ask) {
    const Ending& ending = usualEndingOf(request.target);
    OutputFiles files(request.target, request.file, request.replace);
    const OpenedExport opened = openExport(request, !ask && ending.make == makeNativeWriter);
    const RecordingInfo& info = opened.recording->info();
    ExportResult result;
    result.what = ending.what;
    result.remarks = info.warnings;
    if (opened.snapshot)
        for (const std::string& warning : opened.snapshot->warnings())
            result.remarks.push_back(warning);
    FrameFlow whole(*opened.recording, opened.snapshot, request.backend);
    ExportSubject subject = subjectOf(request, info, opened.raw, opened.snapshot, whole);
    // Other formats know one speed of sound, so they get the waves as they travel at it.
    if (subject.frame.acquisition && ending.make != makeNativeWriter)
        subject.frame = das::sentAt(subject.frame, {}, subject.frame.acquisition->soundSpeedMps);
    subject.remarks = &result.remarks;
    const ExportFrames frames = framesOf(request, ending, whole, info);
    subject.frames = whole.count(frames.first, frames.last);
    subject.firstFrame = frames.first;
    const std::int64_t window = whole.windows().each;
    subject.ensemble = window / whole.count(0, window - 1);
    subject.carried = carriedBy(subject, *opened.recording);
    remarkCarried(subject, ending);
    subject.stamps = exportedStamps(*opened.recording, frames, subject, window);
    if (ending.oneFrame && subject.frames > 1) {
        throw Error(fmt::format("Cannot write '{}': a {} holds one frame, but {} were asked for; "
                                "name one with --frames, or write a cine or an array.",
                                request.target.string(), ending.what, subject.frames));
    }
    checkSpace(files, subject, ending);
    const OtherFrames source =
        ask ? ask(opened, whole, frames) : OtherFrames{.flow = &whole, .frames = frames};
    try {
        const auto writer = ending.make(subject, files);
        result.cancelled =
            !passFrames(*source.flow, source.frames, subject.frames, *writer, progress);
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error& error) { // from HDF5
        files.refuse(error.what());
    }
    if (result.cancelled) return result;
    result.frames = subject.frames;
    result.files = files.commit();
    return result;
}

} // namespace echolux
