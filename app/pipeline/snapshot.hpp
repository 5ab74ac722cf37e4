// SPDX-License-Identifier: GPL-3.0-or-later
// What a pipeline is told to compute at one moment: immutable, planned, exchanged between threads
// by pointer.
#pragma once

#include "app/pipeline/wiring.hpp"
#include "gpu/stage/stage.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace echolux {

struct StageState {
    std::string id;
    const StageType* type = nullptr;
    Params params;
    Params defaults; ///< for the input this stage has now
    bool bypass = false;
    bool onCpu = false;                   ///< whatever runs the others
    FrameSpec input;                      ///< what reaches its first port
    std::vector<FrameSpec> furtherInputs; ///< and the others
    StagePlan plan;              ///< what leaves it; `input` again at every output where bypassed
    std::vector<Source> sources; ///< per port, as linked

    const FrameSpec& inputAt(std::size_t port) const {
        return port == 0 ? input : furtherInputs[port - 1];
    }
    /// An input takes the frame before.
    bool readsFrameBefore() const;
    bool hasSwitchesOf(const StageState& other) const {
        return bypass == other.bypass && onCpu == other.onCpu;
    }
};

/// An image that somebody looks at.
struct ViewState {
    std::string id; ///< empty where the pipeline names no view: the last stage's output
    std::string label;
    Source source;
};

struct Snapshot {
    std::string name;
    FrameSpec input;                ///< raw frames, or ensembles of them: what stages take
    std::vector<StageState> stages; ///< each after those that it takes this frame from
    std::vector<ViewState> views;   ///< at least one
    EnvironmentConfig environment;
    RecordingConfig recording;

    std::int64_t ensemble() const { return recording.ensemble; } ///< raw frames in `input`
    const FrameSpec& output() const {
        return outputOf(views.front().source);
    } ///< of the first view
    const FrameSpec& outputOf(Source source) const {
        return source.isRecording() ? input : stages[source.stage].plan.outputAt(source.output);
    }
    /// Where a frame is computed: what a bypassed stage hands on is its input, now and before.
    Source resolved(Source source) const;
    // Both throw Error naming the instances there are.
    std::size_t indexOf(std::string_view id) const;
    const StageState& stage(std::string_view id) const { return stages[indexOf(id)]; }
    const StageState*
    findType(std::string_view typeId) const;   ///< first active instance of the type, or null
    const StageState* findTap(Tap tap) const;  ///< first active instance that has it, or null
    std::vector<std::string> warnings() const; ///< of all stages, see StagePlan::warnings
};
/// The view of a pipeline that names none.
inline constexpr const char* kImpliedView = "image";
std::string nameOf(const ViewState& view); ///< its id, or that
PortName outputName(const Snapshot& snapshot, Source source);

/// Per stage: the one at `first`, and all that its frames reach, in this frame or later.
std::vector<bool> reachedFrom(const Snapshot& snapshot, std::size_t first);

/// What reaches each port of the stage.
std::vector<const FrameSpec*> inputsOf(const StageState& stage);

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Plans the graph for raw frames like `input` (of an ensemble: one of them): defaults that depend
/// on the data are resolved stage by stage, and what links of the frame before lead back is what
/// its stage makes of it. Throws Error where a stage refuses, or where that comes to no end.
SnapshotPtr instantiate(const PipelineConfig& config, const FrameSpec& input);

/// Each returns a new, planned snapshot or throws Error and changes nothing. Where a change alters
/// what reaches later stages, parameters there that still stand at their default follow the new
/// default.
SnapshotPtr withValue(const Snapshot& from, std::string_view stage, std::string_view key,
                      const ParamValue& value);
SnapshotPtr withBypass(const Snapshot& from, std::string_view stage, bool bypass);
SnapshotPtr withOnCpu(const Snapshot& from, std::string_view stage, bool onCpu);
/// The same stages for other facts about the raw frames (a calibration that was loaded, say).
SnapshotPtr withInput(const Snapshot& from, const FrameSpec& input);
SnapshotPtr withDefaults(const Snapshot& from); ///< every parameter at its default

/// As a file would say it: only values that differ from their defaults.
PipelineConfig toConfig(const Snapshot& snapshot);
/// With every value, also those at their defaults: what a later version needs to compute the same.
PipelineConfig toFullConfig(const Snapshot& snapshot);

/// Same frames at once, stages, links and views, whatever the values and switches.
bool sameGraph(const Snapshot& a, const Snapshot& b);
/// Same stages, bypasses, layouts and structural values: `to` needs update() only.
bool differsOnlyLive(const Snapshot& from, const Snapshot& to);

/// The shipped pipeline that suits raw frames of this kind.
std::string_view defaultPipelineName(const FrameSpec& input);
/// The same, fitted to the recording.
PipelineConfig defaultPipeline(const FrameSpec& input);

/// A shipped pipeline with what the recording asks for: withStagesFor(), then withScanConversion().
PipelineConfig fittedPipeline(std::string_view name, const FrameSpec& input);
/// Without stages that only RF data need where the data are IQ, and with the correction of a
/// sinusoidal scan in force where the recording has one.
PipelineConfig withStagesFor(const FrameSpec& input, PipelineConfig shipped);
/// With `scan_conversion` behind each image along beams that fan out and that a view shows. A
/// pipeline that does not fit the recording comes back as it is; instantiate() says why.
PipelineConfig withScanConversion(const FrameSpec& input, PipelineConfig shipped);

} // namespace echolux
