// SPDX-License-Identifier: GPL-3.0-or-later
// track: bubbles of one frame linked to those of the frames before, for ultrasound localisation
// microscopy (links by the optimal assignment as in Heiles et al., Performance benchmarking of
// microbubble-localization algorithms for ultrasound localization microscopy, Nat. Biomed. Eng. 6,
// 2022; with a Kalman filter as in Tang et al., Kalman filter-based microbubble tracking for robust
// super-resolution ultrasound microvessel imaging, IEEE Trans. UFFC 67, 2020).
//
// In each frame all tracks are predicted (gpu/flow/bubble_tracks.hpp), and tracks and bubbles are
// linked so that the sum of the squared distances is least; a track without a bubble counts as far
// as its bubble could have been (gpu/flow/assignment.hpp). Then linked tracks are corrected, tracks
// without a bubble in more than `missed` frames in a row end, and bubbles without a track begin new
// ones, the brightest first, as long as there is room.
//
// The tracks are the state of the stage. Between two ensembles lies one frame interval.
#include "gpu/flow/assignment.hpp"
#include "gpu/flow/bubble_tracks.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/doppler.hpp"
#include "gpu/stages/track_work.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kTrackId = "track";

struct TrackParams {
    std::int64_t tracks = 200;
    double fastestMps = 0.1;
    double placeNoiseM = 30e-6;
    double accelerationMps2 = 1.0;
    std::int64_t missed = 2;
    std::int64_t leastBubbles = 5;
};

/// 0 where it is unknown.
double frameTimeOf(const FrameSpec& list) {
    return list.isEnsemble() ? flow::frameTimeS(list) : list.frameIntervalS;
}

flow::TrackRules rulesOf(const FrameSpec& list, const TrackParams& values) {
    const double time = frameTimeOf(list);
    flow::TrackRules rules = flow::TrackRules::of(time > 0.0 ? time : 1.0, values.placeNoiseM,
                                                  values.accelerationMps2, values.fastestMps);
    rules.mostMissed = static_cast<std::int32_t>(values.missed);
    rules.leastBubbles = static_cast<std::int32_t>(values.leastBubbles);
    return rules;
}

/// All tracks, and the number that was given last behind them.
struct TrackState {
    flow::Track* tracks;
    std::int32_t* lastNumber;

    static std::size_t bytes(std::int64_t tracks) {
        return static_cast<std::size_t>(tracks) * sizeof(flow::Track) + sizeof(std::int32_t);
    }
    static TrackState in(void* memory, std::int64_t tracks) {
        auto* first = static_cast<flow::Track*>(memory);
        return {first, reinterpret_cast<std::int32_t*>(first + tracks)};
    }
};

/// Follows the bubbles of one frame after the other. Called as a team.
struct FollowBubbles {
    const flow::Bubble* bubbles;
    int frames;
    int most; ///< bubbles per frame
    int tracks;
    TrackState past; ///< null: no previous frame
    TrackState next;
    flow::TrackedBubble* out;
    flow::TrackRules rules;
    flow::AssignmentRoom room;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const FollowBubbles& self = *this;
        team.each(tracks, [=](int i) { self.takeOver(i); });
        for (int frame = 0; frame < frames; ++frame) {
            const flow::Bubble* seen = bubbles + static_cast<std::int64_t>(frame) * most;
            flow::TrackedBubble* rows = out + static_cast<std::int64_t>(frame) * tracks;
            team.each(tracks, [=](int i) { flow::predict(self.next.tracks[i], self.rules); });
            flow::Assignment<flow::LinkCosts>{{next.tracks, seen, rules}, room, tracks, most}(team);
            team.each(tracks, [=](int i) { self.settle(i, seen); });
            team.each(1, [=](int) { self.beginTracks(seen); });
            team.each(tracks, [=](int i) { rows[i] = self.rowOf(i, seen); });
        }
    }

private:
    ECHOLUX_HD void takeOver(int i) const {
        const bool goesOn = past.tracks != nullptr;
        next.tracks[i] = goesOn ? past.tracks[i] : flow::Track{};
        if (i == 0) *next.lastNumber = goesOn ? *past.lastNumber : 0;
    }
    ECHOLUX_HD void settle(int i, const flow::Bubble* seen) const {
        flow::Track& track = next.tracks[i];
        const int bubble = room.columnOf[i];
        if (bubble >= 0)
            flow::correct(track, seen[bubble], rules);
        else if (track.missed > rules.mostMissed)
            track = {};
    }
    /// Called by one thread.
    ECHOLUX_HD void beginTracks(const flow::Bubble* seen) const {
        int i = 0;
        for (int bubble = 0; bubble < most; ++bubble) {
            if (room.rowOf[bubble] >= 0 || !flow::isBubble(seen[bubble])) continue;
            while (i < tracks && next.tracks[i].number != 0) ++i;
            if (i == tracks) return;
            flow::begin(next.tracks[i], seen[bubble], ++*next.lastNumber, rules);
            room.columnOf[i] = bubble;
        }
    }
    ECHOLUX_HD flow::TrackedBubble rowOf(int i, const flow::Bubble* seen) const {
        flow::Track& track = next.tracks[i];
        if (track.number == 0) return {};
        flow::TrackedBubble row{{track.depth, track.lateral, 0.0F, 0.0F},
                                static_cast<float>(track.number),
                                track.depthSpeed,
                                track.lateralSpeed,
                                static_cast<float>(track.age),
                                track.fromDepth,
                                track.fromLateral,
                                0.0F};
        const int bubble = room.columnOf[i];
        if (bubble < 0 || track.bubbles < rules.leastBubbles) return row;
        row.bubble.amplitude = seen[bubble].amplitude;
        row.bubble.width = seen[bubble].width;
        row.begins = track.bubbles == rules.leastBubbles ? 1.0F : 0.0F;
        track.fromDepth = track.depth;
        track.fromLateral = track.lateral;
        return row;
    }
};

class FollowStage final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<TrackParams>();
        if (input.sizeOf(AxisName::Property) != flow::kBubbleProperties)
            throw Error("track: the list has other properties than depth, lateral position, "
                        "amplitude and width; put 'track' behind 'localise'.");
        if (input.axes.back().unit != "m")
            throw Error("track: the image of the bubbles has no scale, so no speed can be told; "
                        "describe the size of its pixels.");
        FrameSpec list = input;
        list.axes[list.axes.size() - 2].size = values.tracks;
        list.axes.back().size = flow::kTrackProperties;
        const bool timed = frameTimeOf(input) > 0.0;
        list.valueRange = {0.0, values.fastestMps, timed ? "m/s" : "m/frame", ""};
        const std::int64_t words =
            flow::AssignmentRoom::words(values.tracks, input.sizeOf(AxisName::Bubble));
        StagePlan plan{.outputs = {list},
                       .workspaceBytes = static_cast<std::size_t>(words) * sizeof(float),
                       .stateBytes = TrackState::bytes(values.tracks)};
        if (!timed)
            plan.warnings.push_back("The time between frames is unknown, so speeds of 'track' are "
                                    "mm per frame instead of mm/s; describe 'signal.frame_rate'.");
        return plan;
    }

    void update(const Exec&, const Params& params) override { m_values = params.as<TrackParams>(); }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const FrameSpec& list = *input.spec;
        const std::int64_t most = list.sizeOf(AxisName::Bubble);
        const std::int64_t tracks = m_values.tracks;
        TrackState past{};
        if (workspace.past != nullptr)
            past = TrackState::in(const_cast<void*>(workspace.past), tracks);
        asTeam(exec, kTrackId,
               FollowBubbles{input.as<flow::Bubble>(),
                             static_cast<int>(list.sizeOf(AxisName::Frame)), static_cast<int>(most),
                             static_cast<int>(tracks), past, TrackState::in(workspace.next, tracks),
                             output.as<flow::TrackedBubble>(), rulesOf(list, m_values),
                             flow::AssignmentRoom::in(workspace.data, tracks, most)});
    }

private:
    TrackParams m_values;
};

/// A place is known to a tenth of a wavelength. Where the time between frames is unknown, a bubble
/// moves by less than a wavelength per frame.
Params trackDefaults(const StageType& type, const FrameSpec& input) {
    constexpr double kSoundSpeedMps = 1540.0;
    Params params(type.table);
    auto& values = params.as<TrackParams>();
    const double wavelengthM = input.centreFrequencyHz > 0.0
                                   ? kSoundSpeedMps / input.centreFrequencyHz
                                   : 10.0 * values.placeNoiseM;
    const auto set = [&](double& value, const char* key, double suggested) {
        const ParamRow& row = *type.table.find(key);
        value = std::clamp(suggested, row.min, row.max);
    };
    set(values.placeNoiseM, "place_noise", 0.1 * wavelengthM);
    if (frameTimeOf(input) > 0.0) return params;
    set(values.fastestMps, "fastest", wavelengthM);
    set(values.accelerationMps2, "acceleration", 0.1 * wavelengthM);
    return params;
}

std::vector<model::Kernel> trackWork(const PlannedStage& stage) {
    const FrameSpec& list = stage.inputs[0];
    return {trackKernel(stage.backend,
                        {.name = kTrackId,
                         .frames = static_cast<double>(list.sizeOf(AxisName::Frame)),
                         .bubbles = static_cast<double>(list.sizeOf(AxisName::Bubble)),
                         .tracks = static_cast<double>(stage.params.as<TrackParams>().tracks)})};
}

} // namespace

namespace stages {
const StageType& track() {
    static const StageType kType{
        .id = kTrackId,
        .label = "Track",
        .help = "Links bubbles from frame to frame, and gives their velocities.",
        .work = trackWork,
        .table =
            ParamTable::of<TrackParams>()
                .integer(&TrackParams::tracks,
                         {.key = "tracks",
                          .label = "Most tracks",
                          .min = 1,
                          .max = 1000,
                          .kind = ParamKind::Structural,
                          .help = "How many tracks there are at once. Of more bubbles, the "
                                  "brightest begin tracks."})
                .real(&TrackParams::fastestMps,
                      {.key = "fastest",
                       .label = "Largest speed",
                       .unit = "m/s",
                       .min = 1e-6,
                       .max = 5.0,
                       .step = 1e-3,
                       .scale = ParamScale::Log,
                       .help = "A bubble that a track would have to reach faster is not linked to "
                               "it. Where the time between frames is unknown: per frame.",
                       .displayUnit = "mm/s",
                       .displayFactor = 1e3})
                .real(&TrackParams::placeNoiseM,
                      {.key = "place_noise",
                       .label = "Noise of places",
                       .unit = "m",
                       .min = 1e-7,
                       .max = 1e-3,
                       .step = 1e-6,
                       .scale = ParamScale::Log,
                       .help = "Standard deviation of a bubble's measured place, in depth and "
                               "across. More makes tracks smoother.",
                       .displayUnit = "um",
                       .displayFactor = 1e6})
                .real(&TrackParams::accelerationMps2,
                      {.key = "acceleration",
                       .label = "Acceleration",
                       .unit = "m/s2",
                       .min = 1e-6,
                       .max = 1000.0,
                       .step = 0.01,
                       .scale = ParamScale::Log,
                       .help = "Standard deviation of the change of a bubble's velocity. More "
                               "follows bends and pulses faster. Where the time between frames is "
                               "unknown: per square of a frame.",
                       .displayUnit = "mm/s2",
                       .displayFactor = 1e3})
                .integer(&TrackParams::missed,
                         {.key = "missed",
                          .label = "Missed frames",
                          .min = 0,
                          .max = 20,
                          .help = "So many frames in a row a track may have no bubble. Then it "
                                  "ends."})
                .integer(&TrackParams::leastBubbles,
                         {.key = "min_length",
                          .label = "Least length",
                          .unit = "bubbles",
                          .min = 1,
                          .max = 100,
                          .help = "Tracks of fewer bubbles do not count. A track that reaches "
                                  "this length counts from its first bubble on."})
                .build(),
        .inputs = {{.dtypes = {DType::F32},
                    .axes = {AxisName::Bubble, AxisName::Property},
                    .otherAxes = {{AxisName::Frame, AxisName::Bubble, AxisName::Property}}}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .defaults = trackDefaults,
        .code = codeOf<FollowStage>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
