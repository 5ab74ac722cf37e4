// SPDX-License-Identifier: GPL-3.0-or-later
// The stage contract. The runner owns snapshots, bypass, timing, order and buffers; a stage sees
// none of them.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/param_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
    FrameSpec output;               ///< of the first output
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
    std::vector<FrameSpec> furtherOutputs = {}; ///< one per StageType::furtherOutputs
    /// Why this input gives no further outputs: a sentence that names the stage. `furtherOutputs`
    /// have no meaning then. Empty where there are further outputs.
    std::string noFurtherOutputs = {};
    /// Per output: a clause that says why CUDA computes it by code that is not tuned. Empty, or no
    /// entry: the code is tuned. May depend on live parameters.
    std::vector<std::string> untuned = {};

    const FrameSpec& outputAt(std::size_t port) const {
        return port == 0 ? output : furtherOutputs[port - 1];
    }
};

/// The specifications of what reaches a stage, one per port.
class InputSpecs {
public:
    InputSpecs(const FrameSpec& only) : m_only(&only) {} // NOLINT: one is a list of one
    InputSpecs(std::span<const FrameSpec* const> all) : m_only(all.front()), m_all(all) {}
    const FrameSpec& operator[](std::size_t port) const {
        return port == 0 ? *m_only : *m_all[port];
    }
    std::size_t size() const { return m_all.empty() ? 1 : m_all.size(); }

private:
    const FrameSpec* m_only;
    std::span<const FrameSpec* const> m_all;
};

/// One instance in a pipeline. Several frames may be in flight on different streams at once. So
/// run() writes only to its outputs and its workspace, and members hold only what prepare() and
/// update() set. For a stage with a state the runner runs the frames in order, each after the
/// previous one.
class Stage {
public:
    virtual ~Stage() = default;

    /// Pure and cheap. Throws Error, a full sentence that names parameter, value and reason, where
    /// the stage cannot compute this. The output's layout depends on structural parameters alone.
    /// Its valueRange may depend on live ones, so plan() is called again after a live edit.
    virtual StagePlan plan(InputSpecs inputs, const Params& params) const = 0;
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

/// A stage with one input and one output: the same contract with simpler signatures. See
/// createFilter().
class Filter {
public:
    virtual ~Filter() = default;
    virtual StagePlan plan(const FrameSpec& input, const Params& params) const = 0;
    virtual void prepare(const Exec& exec, const FrameSpec& input, const StagePlan& plan,
                         const Params& params);
    virtual void follow(const Exec& exec, const FrameSpec& input);
    virtual void update(const Exec& exec, const Params& params) = 0;
    virtual void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
                     const Workspace& workspace) = 0;
};

std::unique_ptr<Stage> stageOf(std::unique_ptr<Filter> filter);

/// Makes a stage of a Filter class, for StageType::create.
template <class F> std::unique_ptr<Stage> createFilter() { return stageOf(std::make_unique<F>()); }

/// What an input accepts: any of `dtypes`, and axes of these names in this order. Empty `axes`: any
/// axes.
struct Port {
    std::vector<DType> dtypes;
    std::vector<AxisName> axes = {};
    bool stacks = false; ///< an Elevation axis may stand before `axes`: several B-scans in a frame
    std::string name = "in";
    std::span<const AxisName> otherAxes = {}; ///< if given, these are accepted as well as `axes`;
                                              ///< static storage
    bool ensembles = false; ///< a Frame axis may stand before all others: several frames at once
};

/// The same port, which also takes ensembles.
inline Port orEnsembles(Port port) {
    port.ensembles = true;
    return port;
}

/// An output of a stage besides the first one.
struct OutputPort {
    std::string name;
    std::string help; ///< one line
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
/// Callers that read its parameters look for those: see StageType::has().
enum class Role {
    None,
    ReadsEchoes,        ///< turns recorded codes of echoes into values
    LimitsBand,         ///< filters RF samples
    MakesAnalytic,      ///< turns RF samples into complex ones
    Upsamples,          ///< makes samples between the samples
    SendsWaves,         ///< makes sent waves from others; its second port takes delays
    CorrectsAberration, ///< its second port takes delays
    LoadsFilter,        ///< gives delays that a file holds
};

struct StageType {
    std::string id;    ///< stable config key, snake_case
    std::string label; ///< on screen
    std::string help;  ///< one line
    int version = 1;
    ParamTable table;
    Port input;
    std::vector<Port> furtherInputs = {};        ///< inputs besides the first one
    std::vector<OutputPort> furtherOutputs = {}; ///< outputs besides the first one
    bool bypassable = true; ///< false where output and input differ in layout by nature (beamform)
    bool hasCuda = true;    ///< false: run() works on the CPU alone, also where other stages run on
                            ///< CUDA
    Tolerance tolerance;
    Tap tap = Tap::None;
    Role role = Role::None;
    /// The form of images whose pixels come from this stage. Empty: the form stays.
    std::optional<RecordedForm> form = std::nullopt;
    /// For stages that move lines: the recorded line nearest to where the line shown at `line` came
    /// from. `bscan` is the recorded B-scan's number, which has `lines` lines; all count from 0.
    /// Null: the stage moves no lines.
    std::int64_t (*recordedLine)(const Params& params, std::int64_t bscan, std::int64_t line,
                                 std::int64_t lines) = nullptr;
    /// Defaults that depend on the data: band edges from the centre frequency, the grid from the
    /// probe. Null: the table's defaults.
    Params (*defaults)(const StageType& type, const FrameSpec& input) = nullptr;
    std::unique_ptr<Stage> (*create)() = nullptr;

    /// The parameters are the struct P.
    template <class P> bool has() const { return table.isOf<P>(); }
    std::size_t portCount() const { return 1 + furtherInputs.size(); }
    const Port& port(std::size_t index) const {
        return index == 0 ? input : furtherInputs[index - 1];
    }
    std::size_t outputCount() const { return 1 + furtherOutputs.size(); }
    std::string_view outputName(std::size_t index) const {
        return index == 0 ? std::string_view(kOutputPort) : furtherOutputs[index - 1].name;
    }
    std::vector<std::string> outputNames() const;
    /// `frame` is the specification of what reaches the first port.
    Params defaultsFor(const FrameSpec& frame) const {
        return defaults != nullptr ? defaults(*this, frame) : Params(table);
    }
};

/// Throws Error where `input` does not fit the type's port number `index`.
void checkPort(const StageType& type, const FrameSpec& input, std::size_t index = 0);

} // namespace echolux
