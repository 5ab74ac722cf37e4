// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline with all its values at one moment, planned for its input. It is immutable, and threads
// exchange it by pointer.
#pragma once

#include "app/pipeline/wiring.hpp"
#include "gpu/stage/stage.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace echolux {

struct StageState {
    std::string id;
    const StageType* type = nullptr;
    Params params;
    Params defaults; ///< for the input that this stage has now
    bool bypass = false;
    bool onCpu = false;            ///< even where the other stages run on CUDA
    bool alone = false;            ///< no fusion comprises it
    std::vector<FrameSpec> inputs; ///< what reaches each port
    StagePlan plan;                ///< a bypassed stage has its first input at every output;
                                   ///< `outputs` is empty until the stage is planned
    std::vector<Source> sources;   ///< per port, as linked

    const FrameSpec& input() const { return inputs.front(); } ///< of the first port
    /// An input reads the previous frame's result.
    bool readsFrameBefore() const;
    bool hasSwitchesOf(const StageState& other) const {
        return bypass == other.bypass && onCpu == other.onCpu && alone == other.alone;
    }
    // See ShownParts. Empty where the type has none, and where its code throws.
    std::vector<StageCurve> curves() const;
    std::vector<SliderSpan> spans() const; ///< with those of rows along an axis of the input
    std::vector<CompanionValue> companions(std::string_view key) const;
};

/// A view of the pipeline.
struct ViewState {
    std::string id; ///< empty where the pipeline names no view: the last stage's output
    std::string label;
    Source source;
    std::optional<std::size_t> over = {}; ///< number of the view whose image is drawn beneath
    bool main = false;                    ///< no other view is shown larger
};

struct Snapshot {
    std::string name;
    FrameSpec input;                ///< of what reaches the stages: a raw frame, or an ensemble of
                                    ///< them
    std::vector<StageState> stages; ///< each stands after the stages whose outputs of this frame it
                                    ///< reads
    std::vector<ViewState> views;   ///< at least one
    EnvironmentConfig environment;
    RecordingConfig recording;

    std::int64_t ensemble() const { return recording.ensemble; } ///< raw frames in `input`
    /// How images, one for each ensemble, make volumes.
    VolumeStack imageStack() const { return stackOfEnsembles(input.stack, ensemble()); }
    /// Of the first view.
    const FrameSpec& output() const { return outputOf(views.front().source); }
    const FrameSpec& outputOf(Source source) const {
        return source.isRecording() ? input : stages[source.stage].plan.outputs[source.output];
    }
    /// The source that is computed: a bypassed stage hands on its first input, of this frame and of
    /// the previous one.
    Source resolved(Source source) const;
    // Both throw Error naming the instances there are.
    std::size_t indexOf(std::string_view id) const;
    const StageState& stage(std::string_view id) const { return stages[indexOf(id)]; }
    // Each: the first active instance, or null where there is none.
    /// Of a type for which `wanted` holds.
    template <class Wanted> const StageState* findActive(const Wanted& wanted) const {
        for (const StageState& stage : stages)
            if (wanted(*stage.type) && !stage.bypass) return &stage;
        return nullptr;
    }
    const StageState* findRole(Role role) const;
    const StageState* findTap(Tap tap) const;
    /// The first active instance whose parameters are P, or null where there is none.
    template <class P> const StageState* findWith() const {
        return findActive([](const StageType& type) { return type.has<P>(); });
    }
    std::vector<std::string> warnings() const; ///< of all stages, see StagePlan::warnings
};
/// The name of the view of a pipeline that names none.
inline constexpr const char* kImpliedView = "image";
std::string nameOf(const ViewState& view); ///< its id, or kImpliedView
PortName outputName(const Snapshot& snapshot, Source source);

/// Per stage: true for the one at `first` and for all that its output reaches, in this frame or in
/// later ones.
std::vector<bool> reachedFrom(const Snapshot& snapshot, std::size_t first);

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Plans the graph for raw frames like `input` (for ensembles too, `input` is one raw frame).
/// Defaults that depend on the data are computed stage by stage. Where a link of the frame before
/// leads back, planning is repeated until the specification that goes back no longer changes.
/// Throws Error where a stage refuses, or where the repetition comes to no end.
SnapshotPtr instantiate(const PipelineConfig& config, const FrameSpec& input);

/// Each returns a new, planned snapshot or throws Error and changes nothing. Where a change alters
/// what reaches later stages, parameters there that still stand at their default follow the new
/// default.
SnapshotPtr withValue(const Snapshot& from, std::string_view stage, std::string_view key,
                      const ParamValue& value);
SnapshotPtr withBypass(const Snapshot& from, std::string_view stage, bool bypass);
SnapshotPtr withOnCpu(const Snapshot& from, std::string_view stage, bool onCpu);
/// The same stages for other facts about the raw frames, such as a calibration that was loaded.
SnapshotPtr withInput(const Snapshot& from, const FrameSpec& input);
SnapshotPtr withDefaults(const Snapshot& from); ///< every parameter at its default

/// The pipeline as a file: only values that differ from their defaults.
PipelineConfig toConfig(const Snapshot& snapshot);
/// The pipeline with every value, also those at their defaults. A later version needs them to
/// compute the same.
PipelineConfig toFullConfig(const Snapshot& snapshot);

/// Same ensemble, stages, links and views. Values and switches may differ.
bool sameGraph(const Snapshot& a, const Snapshot& b);
/// Same stages, bypasses, layouts and structural values: `to` needs update() only.
bool differsOnlyLive(const Snapshot& from, const Snapshot& to);

/// The shipped pipeline that suits raw frames of this kind.
std::string_view defaultPipelineName(const FrameSpec& input);
/// That pipeline, fitted to the recording.
PipelineConfig defaultPipeline(const FrameSpec& input);

/// A shipped pipeline, fitted to the recording: withStagesFor(), then withScanConversion().
PipelineConfig fittedPipeline(std::string_view name, const FrameSpec& input);
/// Removes stages that only RF data need where the data are IQ. Switches the correction of a
/// sinusoidal scan on where the recording has such a scan.
PipelineConfig withStagesFor(const FrameSpec& input, PipelineConfig shipped);
/// Adds `scan_conversion` behind each image in beam space that a view shows. A pipeline that does
/// not fit the recording is returned unchanged; instantiate() says why it does not fit.
PipelineConfig withScanConversion(const FrameSpec& input, PipelineConfig shipped);

} // namespace echolux
