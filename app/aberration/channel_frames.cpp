// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a pipeline up to the beamformer, and finds a region that suits a recording.
#include "app/aberration/channel_frames.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/export/frame_flow.hpp"
#include "app/pipeline/sub_chain.hpp"
#include "gpu/aberration/focus.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stages/aberration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux::aberration {

namespace {

constexpr double kAcross = 5.0; ///< wavelengths
constexpr double kDown = 10.0 / 3.0;
constexpr std::int64_t kFewestPoints = 64;
constexpr std::int64_t kMostPoints = 2048;

/// The input of the first stage that takes channels.
Source beforeBeamformer(const Snapshot& snapshot) {
    for (const StageState& stage : snapshot.stages)
        if (stage.type->has<AberrationParams>() || stage.type->has<BeamformParams>())
            return snapshot.resolved(stage.sources.front());
    throw Error(fmt::format("The pipeline '{}' has no stage 'beamform', in front of which channels "
                            "could be compared; choose another.",
                            snapshot.name));
}

} // namespace

ChannelFrames channelFrames(Recording& recording, const PipelineConfig& pipeline, Backend backend,
                            std::int64_t first, std::int64_t last) {
    const RecordingInfo& info = recording.info();
    if (info.frame.acquisition == nullptr || info.frame.recordedForm != RecordedForm::Signals ||
        info.frame.find(AxisName::Channel) == nullptr)
        throw fileError(info.path, "it holds no channel data, and of images no screen can be told; "
                                   "choose a recording of channels, or a cube 'u_z' of them");
    const SnapshotPtr whole = instantiate(pipeline, info.frame);
    const Source end = beforeBeamformer(*whole);
    SnapshotPtr front;
    if (!end.isRecording()) front = instantiate(chainTo(*whole, end), info.frame);
    FrameFlow flow(recording, front, backend);
    ChannelFrames channels;
    channels.spec = flow.frame();
    channels.screens = screensBefore(*whole, end);
    flow.run(first, last, [&](std::vector<std::byte> frame) {
        channels.frames.push_back(std::move(frame));
        return true;
    });
    return channels;
}

FocusParams wholeImage(const FrameSpec& spec) {
    FocusParams params = defaultFocus(spec);
    params.points = pointsFor(params);
    return params;
}

std::int64_t pointsFor(const FocusParams& params) {
    const double wavelength = params.soundSpeedMps / params.centreHz;
    const double across = std::ceil(params.widthM / (kAcross * wavelength));
    const double down = std::ceil(params.heightM / (kDown * wavelength));
    return std::clamp(static_cast<std::int64_t>(std::min(across * down, 1e6)), kFewestPoints,
                      kMostPoints);
}

Spectra spectraOf(const ChannelFrames& channels, const FocusParams& params) {
    std::vector<Spectra> each;
    for (const std::vector<std::byte>& frame : channels.frames)
        each.push_back(focusedSpectra(channels.spec, frame.data(), params));
    if (each.size() == 1) return std::move(each.front());
    Spectra all{.grid = each.front().grid,
                .points = 0,
                .binsHz = each.front().binsHz,
                .independentBins = each.front().independentBins};
    for (const Spectra& one : each) all.points += one.points;
    const auto places = static_cast<std::size_t>(all.grid.places());
    all.values.reserve(each.size() * each.front().values.size());
    for (std::size_t place = 0; place < places; ++place) {
        for (const Spectra& one : each) {
            const auto length = static_cast<std::ptrdiff_t>(one.values.size() / places);
            const auto begin = one.values.begin() + static_cast<std::ptrdiff_t>(place) * length;
            all.values.insert(all.values.end(), begin, begin + length);
        }
    }
    return all;
}

} // namespace echolux::aberration
