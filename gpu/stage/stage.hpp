// SPDX-License-Identifier: GPL-3.0-or-later
// The stage contract. The runner owns snapshots, bypass, timing, order and buffers; a stage sees
// none of it.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/param_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// A frame in compute memory (device on CUDA, host on the CPU) behind its specification.
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

/// The next offset in a workspace where something aligned may begin.
constexpr std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t kAlignment = 256;
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// What one run may use besides its input and output, in compute memory, 256-byte aligned.
struct Workspace {
    void* data = nullptr; ///< scratch of this frame in flight, contents undefined
    std::size_t bytes = 0;
    /// Stages with StagePlan::stateBytes: what the frame before left (null: there was none), and
    /// where this frame leaves its own. Every run writes all of `next` and nothing of `past`, so
    /// that the same frame can be run again.
    const void* past = nullptr;
    void* next = nullptr;
    std::int64_t frame = 0; ///< number in the recording
};

/// What plan() answers.
struct StagePlan {
    FrameSpec output;               ///< of the first output
    std::size_t workspaceBytes = 0; ///< per frame in flight
    std::size_t stateBytes = 0;     ///< that a frame leaves to the next; the runner holds four
    std::size_t heldBytes = 0;      ///< compute memory that prepare() takes for tables
    /// Of a frame of several B-scans each is not what it would be in a frame of its own.
    bool mixesBscans = false;
    bool countsFrames = false; ///< what run() enqueues depends on Workspace::frame
    /// What can be computed but will hardly be meant, one sentence each that names the parameter
    /// and a value that helps; may follow live parameters.
    std::vector<std::string> warnings = {};
    std::vector<FrameSpec> furtherOutputs = {}; ///< one per StageType::furtherOutputs
    /// Why this input gives no further outputs, a sentence that names the stage; empty where it
    /// does. `furtherOutputs` are without meaning then.
    std::string noFurtherOutputs = {};
    /// Per output, why CUDA computes it by code that is not tuned, a clause; may follow live
    /// parameters. Empty, or no entry: it is tuned.
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

/// One instance in a pipeline. Several frames may be in flight on different streams at once, so
/// everything that run() writes besides its output lies in the workspace; members hold only what
/// prepare and update set. The runner runs the frames of a stage with state in order, each after
/// the one before.
class Stage {
public:
    virtual ~Stage() = default;

    /// Pure and cheap. Throws Error, a full sentence naming parameter, value and reason, where it
    /// cannot be done. The output's layout depends on structural parameters alone; its valueRange
    /// may follow live ones, so that the runner asks again after a live edit.
    virtual StagePlan plan(InputSpecs inputs, const Params& params) const = 0;
    /// After a structural change, nothing in flight: buffers, FFT plans, tables. May enqueue on
    /// `exec`; the runner synchronises afterwards. Always followed by update().
    virtual void prepare(const Exec& exec, InputSpecs inputs, const StagePlan& plan,
                         const Params& params);
    /// Between frames, nothing in flight: a live edit of an earlier stage changed facts of the
    /// inputs that their layouts do not depend on (FrameSpec::spectralGrid). Always followed by
    /// update(). No allocation.
    virtual void follow(const Exec& exec, InputSpecs inputs);
    /// Between frames, nothing in flight: constants from live parameters. May enqueue on `exec` (a
    /// delay table, say); the runner synchronises afterwards. No allocation.
    virtual void update(const Exec& exec, const Params& params) = 0;
    /// Enqueues the work of one frame; `inputs` and `outputs` have one view per port. An output
    /// that nobody reads has no data and costs nothing; a stage with one output always has it. No
    /// allocation, no synchronisation, no lock, no log.
    virtual void run(const Exec& exec, std::span<const ConstTensorView> inputs,
                     std::span<const TensorView> outputs, const Workspace& workspace) = 0;
};

/// A stage with one input and one output: the same contract in simpler words. See createFilter().
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

/// For StageType::create.
template <class F> std::unique_ptr<Stage> createFilter() { return stageOf(std::make_unique<F>()); }

/// What a port accepts: any of `dtypes`; the axes by name and order, or any where `axes` is empty.
struct Port {
    std::vector<DType> dtypes;
    std::vector<AxisName> axes = {};
    bool stacks = false; ///< an Elevation axis may stand before `axes` (several B-scans in a frame)
    std::string name = "in";
    std::span<const AxisName> otherAxes = {}; ///< instead of `axes`, if given; of static storage
    bool ensembles = false; ///< a Frame axis may stand before them (several frames at once)
};

/// The same port, which takes ensembles, too.
inline Port orEnsembles(Port port) {
    port.ensembles = true;
    return port;
}

/// What a stage makes besides its first output, by a name of its own.
struct OutputPort {
    std::string name;
    std::string help; ///< one line
};
inline constexpr const char* kOutputPort = "out"; ///< the first one

/// Largest permitted difference between backends: |cpu - cuda| <= absolute + relative * max|cpu|.
struct Tolerance {
    double relative = 1e-4;
    double absolute = 0.0;
    double flips = 0.0; ///< share of the values that may differ more, where rounding decides
                        ///< between neighbours (nearest sample, edge of an aperture)
};

/// What plots of a picked line read of a stage besides the images; such outputs stay readable after
/// the frame.
enum class Tap {
    None,
    Amplitude, ///< of echoes, not compressed yet
    Spectrum,  ///< equally spaced in wavenumber
};

struct StageType {
    std::string id;    ///< stable config key, snake_case
    std::string label; ///< on screen
    std::string help;  ///< one line
    int version = 1;
    ParamTable table;
    Port input;
    std::vector<Port> furtherInputs = {};        ///< of stages that take several frames
    std::vector<OutputPort> furtherOutputs = {}; ///< of stages that make several
    bool bypassable = true; ///< false where output and input differ in layout by nature (beamform)
    bool hasCuda = true;    ///< false: run() is for the CPU alone, also where others run on CUDA
    Tolerance tolerance;
    Tap tap = Tap::None;
    /// Of stages that move lines: the recorded line, of a B-scan's `lines`, nearest to where the
    /// one shown at `line` came from; `bscan` as recorded, all counted from 0. Null: lines stay.
    std::int64_t (*recordedLine)(const Params& params, std::int64_t bscan, std::int64_t line,
                                 std::int64_t lines) = nullptr;
    /// Defaults that depend on the data (band edges from the centre frequency, grid from the
    /// probe); null: the table's.
    Params (*defaults)(const StageType& type, const FrameSpec& input) = nullptr;
    std::unique_ptr<Stage> (*create)() = nullptr;

    std::size_t portCount() const { return 1 + furtherInputs.size(); }
    const Port& port(std::size_t index) const {
        return index == 0 ? input : furtherInputs[index - 1];
    }
    std::size_t outputCount() const { return 1 + furtherOutputs.size(); }
    std::string_view outputName(std::size_t index) const {
        return index == 0 ? std::string_view(kOutputPort) : furtherOutputs[index - 1].name;
    }
    std::vector<std::string> outputNames() const;
    /// `frame` is what reaches the first port.
    Params defaultsFor(const FrameSpec& frame) const {
        return defaults != nullptr ? defaults(*this, frame) : Params(table);
    }
};

/// Throws Error where `input` does not fit the type's port number `index`.
void checkPort(const StageType& type, const FrameSpec& input, std::size_t index = 0);

} // namespace echolux
