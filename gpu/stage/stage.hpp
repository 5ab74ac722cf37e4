// SPDX-License-Identifier: GPL-3.0-or-later
// The stage contract. The runner owns snapshots, bypass, timing, order and buffers; a stage sees
// none of them.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/model/part.hpp"
#include "gpu/stage/param_table.hpp"
#include "gpu/stage/shown_stage.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace echolux {

/// A frame in compute memory (device on CUDA, host on the CPU) with its specification.
struct TensorView {
    void* data = nullptr;
    const FrameSpec* spec = nullptr;
    template <class T> T* as() const { return static_cast<T*>(data); }
};

struct ConstTensorView {
    const void* data = nullptr;
    const FrameSpec* spec = nullptr;
    template <class T> const T* as() const { return static_cast<const T*>(data); }
};

/// The smallest aligned offset in a workspace that is not less than `bytes`.
constexpr std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t kAlignment = 256;
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Memory that one run may use besides its input and output: compute memory, 256-byte aligned.
struct Workspace {
    void* data = nullptr; ///< scratch memory of this frame; its contents are undefined
    std::size_t bytes = 0;
    /// For stages with StagePlan::stateBytes. `past` is the state that the previous frame left;
    /// null: there is no previous frame. `next` is where this frame writes its state. Every run
    /// writes all of `next` and nothing of `past`, so that the same frame can be run again.
    const void* past = nullptr;
    void* next = nullptr;
    std::int64_t frame = 0; ///< number in the recording
};

/// The answer of plan().
struct StagePlan {
    std::vector<FrameSpec> outputs; ///< one per StageType::outputs
    std::size_t workspaceBytes = 0; ///< per frame in flight
    std::size_t stateBytes = 0;     ///< size of the state that a frame leaves to the next; the
                                    ///< runner holds four states
    std::size_t heldBytes = 0;      ///< compute memory that prepare() takes for tables
    /// In a frame of several B-scans the result of one depends on the others.
    bool mixesBscans = false;
    bool countsFrames = false; ///< what run() enqueues depends on Workspace::frame
    /// Settings that can be computed but are probably a mistake: one sentence each, which names the
    /// parameter and a value that helps. May depend on live parameters.
    std::vector<std::string> warnings = {};
    /// Why this input gives the first output alone: a sentence that names the stage. The other
    /// `outputs` have no meaning then. Empty where all are given.
    std::string onlyFirstOutput = {};
    /// Per output: a clause that says why CUDA computes it by code that is not tuned. Empty, or no
    /// entry: the code is tuned. May depend on live parameters.
    std::vector<std::string> untuned = {};
};

/// The specifications of what reaches a stage, one per port.
struct InputSpecs : std::span<const FrameSpec> {
    InputSpecs(const FrameSpec& only) : span(&only, 1) {}        // NOLINT: a list of one
    InputSpecs(const std::vector<FrameSpec>& all) : span(all) {} // NOLINT: a list
};

/// One instance in a pipeline. Several frames may be in flight on different streams at once. So
/// run() writes only to its outputs and its workspace, and members hold only what prepare() and
/// update() set. For a stage with a state the runner runs the frames in order, each after the
/// previous one.
///
/// Each class also has `static StagePlan plan(InputSpecs, const Params&)`, see StageType::plan().
class Stage {
public:
    virtual ~Stage() = default;

    /// Called after a structural change, with no frame in flight: makes buffers, FFT plans, tables.
    /// May enqueue on `exec`; the runner synchronises afterwards. update() always follows.
    virtual void prepare(const Exec& exec, InputSpecs inputs, const StagePlan& plan,
                         const Params& params);
    /// Called with no frame in flight, after a live edit of an earlier stage changed facts of the
    /// inputs but not their layouts (FrameSpec::spectralGrid). update() always follows. No
    /// allocation.
    virtual void follow(const Exec& exec, InputSpecs inputs);
    /// Called with no frame in flight: computes constants from live parameters. May enqueue on
    /// `exec` (a delay table, for example); the runner synchronises afterwards. No allocation.
    virtual void update(const Exec& exec, const Params& params) = 0;
    /// Enqueues the work of one frame; `inputs` and `outputs` have one view per port. An output
    /// that nobody reads has no data and need not be computed. A stage with one output always has
    /// data there. No allocation, no synchronisation, no lock, no log.
    virtual void run(const Exec& exec, std::span<const ConstTensorView> inputs,
                     std::span<const TensorView> outputs, const Workspace& workspace) = 0;
};

/// A stage with one input and one output: the same contract with simpler signatures. Its plan() is
/// `static StagePlan plan(const FrameSpec& input, const Params& params)`.
class Filter {
public:
    virtual ~Filter() = default;
    virtual void prepare(const Exec& exec, const FrameSpec& input, const StagePlan& plan,
                         const Params& params);
    virtual void follow(const Exec& exec, const FrameSpec& input);
    virtual void update(const Exec& exec, const Params& params) = 0;
    virtual void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
                     const Workspace& workspace) = 0;
};

std::unique_ptr<Stage> stageOf(std::unique_ptr<Filter> filter);

/// The functions of a class of stages.
struct StageCode {
    StagePlan (*plan)(InputSpecs inputs, const Params& params) = nullptr;
    std::unique_ptr<Stage> (*create)() = nullptr;
};

/// The functions of S, a Stage or a Filter.
template <class S> StageCode codeOf() {
    if constexpr (std::is_base_of_v<Filter, S>) {
        return {[](InputSpecs inputs, const Params& params) { return S::plan(inputs[0], params); },
                [] { return stageOf(std::make_unique<S>()); }};
    } else {
        return {S::plan, []() -> std::unique_ptr<Stage> { return std::make_unique<S>(); }};
    }
}

/// What an input accepts: any of `dtypes`, and axes of these names in this order. Empty `axes`: any
/// axes.
struct Port {
    std::vector<DType> dtypes;
    std::vector<AxisName> axes = {};
    bool stacks = false; ///< an Elevation axis may stand before `axes`: several B-scans in a frame
    std::string name = "in";
    std::vector<std::vector<AxisName>> otherAxes = {}; ///< each is accepted as well as `axes`
    bool ensembles = false; ///< a Frame axis may stand before all others: several frames at once
    bool bands = false;     ///< the frames of an ensemble may be split into FrameSpec::bands
};

/// The same port, which also takes ensembles.
inline Port orEnsembles(Port port) {
    port.ensembles = true;
    return port;
}
/// The same port, which also takes ensembles whose frames are split into bands.
inline Port orBands(Port port) {
    port.bands = true;
    return orEnsembles(std::move(port));
}

struct OutputPort {
    std::string name;
    std::string help = {}; ///< one line; empty for the first output
};
inline constexpr const char* kOutputPort = "out"; ///< the name of the first output

/// Largest permitted difference between backends: |cpu - cuda| <= absolute + relative * max|cpu|.
struct Tolerance {
    double relative = 1e-4;
    double absolute = 0.0;
    double flips = 0.0; ///< share of the values that may differ by more, because rounding decides
                        ///< between neighbours (nearest sample, edge of an aperture)
};

/// An output that the plots of a picked column read besides the images.
enum class Tap {
    None,
    Amplitude, ///< amplitudes of echoes before compression
    Spectrum,  ///< spectra, equally spaced in wavenumber
};

/// What a stage does, for callers that look for such a stage or put one into a chain of their own.
/// Any stage may have a role, so callers read its parameters by their keys. Computations that read
/// the parameter struct look for that: see StageType::has().
enum class Role {
    None,
    ReadsEchoes,        ///< turns recorded codes of echoes into values
    LimitsBand,         ///< filters RF samples
    MakesAnalytic,      ///< turns RF samples into complex ones
    Upsamples,          ///< makes samples between the samples
    AddsScreen,         ///< aberrates the channels by a known screen
    SendsWaves,         ///< makes sent waves from others; its second port takes delays
    EstimatesScreen,    ///< gives the delays that aberrate the channels
    LoadsFilter,        ///< gives delays that a file holds
    CorrectsAberration, ///< its second port takes delays
    Beamforms,          ///< turns channels into an image
    WatchesMotion,      ///< shows or measures what moves
    ReadsSpectra,       ///< turns recorded codes of spectra into values
    SubtractsBackground,
    Resamples, ///< to equal steps in wavenumber
};

/// A planned stage whose work is asked for. The references are valid during the call.
struct PlannedStage {
    Backend backend;
    InputSpecs inputs;
    const StagePlan& plan;
    const Params& params;
    std::vector<bool> wanted = {}; ///< per output; empty: the first alone
    bool wants(std::size_t port) const {
        return wanted.empty() ? port == 0 : port < wanted.size() && wanted[port];
    }
};

struct StageType {
    std::string id;    ///< stable config key, snake_case
    std::string label; ///< on screen
    std::string help;  ///< one line
    int version = 1;
    /// The kernels that run() enqueues for the wanted outputs, in order, with what they do (see
    /// stage_work.hpp). Null: nothing is declared.
    std::vector<model::Kernel> (*work)(const PlannedStage& stage) = nullptr;
    ParamTable table;
    std::vector<Port> inputs; ///< at least one
    std::vector<OutputPort> outputs = {{kOutputPort}};
    bool bypassable = true; ///< false where output and input differ in layout by nature (beamform)
    bool hasCuda = true;    ///< false: run() works on the CPU alone, also where other stages run on
                            ///< CUDA
    Tolerance tolerance = {};
    Tap tap = Tap::None;
    Role role = Role::None;
    /// The form of images whose pixels come from this stage. Empty: the form stays.
    std::optional<RecordedForm> form = std::nullopt;
    /// For stages that move lines: returns the recorded line that is nearest to the line shown at
    /// `line`. `bscan` is the number of the B-scan in the recording, `lines` its number of lines.
    /// Lines and B-scans count from 0. Null: the stage moves no lines.
    std::int64_t (*recordedLine)(const Params& params, std::int64_t bscan, std::int64_t line,
                                 std::int64_t lines) = nullptr;
    /// Defaults that depend on the data: band edges from the centre frequency, the grid from the
    /// probe. Null: the table's defaults.
    Params (*defaults)(const StageType& type, const FrameSpec& input) = nullptr;
    ShownParts shown = {};
    StageCode code = {}; ///< see codeOf()
    /// Name of the plugin that brings the stage; set by addStages(), empty for built-in stages.
    /// What its code throws becomes an Error that names stage and plugin.
    std::string plugin = {};

    /// True where the parameters are the struct P.
    template <class P> bool has() const { return table.isOf<P>(); }
    std::vector<std::string> outputNames() const;
    /// Pure and cheap. Throws Error, a full sentence that names parameter, value and reason, where
    /// the stage cannot compute this. The layouts of the outputs depend on structural parameters
    /// alone. Their valueRange may depend on live ones, so a stage is planned again after a live
    /// edit. Does not check ports: see checkPort().
    StagePlan plan(InputSpecs reaching, const Params& params) const;
    std::unique_ptr<Stage> create() const;
    /// `frame` is the specification of what reaches the first port.
    Params defaultsFor(const FrameSpec& frame) const;
};

/// Throws Error where `input` does not fit the type's port number `index`.
void checkPort(const StageType& type, const FrameSpec& input, std::size_t index = 0);

} // namespace echolux
