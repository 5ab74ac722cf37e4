// SPDX-License-Identifier: GPL-3.0-or-later
// echolux_pipeline_...: frames in, results out.
#include "app/library/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

namespace {

constexpr int kLongestQueue = 64;

/// A text, a shipped pipeline, a file, or the default.
PipelineConfig configOf(const char* pipeline, const FrameSpec& input) {
    if (pipeline == nullptr) return defaultPipeline(input);
    const std::string_view text = pipeline;
    if (text.find('\n') != std::string_view::npos) return parsePipeline(text, "the pipeline");
    const auto shipped = shippedPipelines();
    if (std::ranges::find(shipped, text) != shipped.end()) return fittedPipeline(text, input);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(text), ignored)) return loadPipeline(text);
    throw Error(fmt::format("'{}' is no pipeline: no file, no text of several lines, and none of "
                            "the shipped ones, {}.",
                            text, fmt::join(shipped, ", ")));
}

std::size_t viewNamed(const Snapshot& snapshot, const char* output) {
    std::vector<std::string> names;
    for (const ViewState& view : snapshot.views) names.push_back(nameOf(view));
    const auto at = std::ranges::find(names, given(output, "output"));
    if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
    throw Misuse{fmt::format("The pipeline has no output '{}'; choose one of {}.", output,
                             fmt::join(names, ", "))};
}

const Result& takenOf(const echolux_pipeline* pipeline) {
    const auto taken = queueOf(pipeline).taken();
    if (taken != nullptr) return *taken;
    throw Misuse{"No result was taken yet; call echolux_take() first."};
}

int pushed(echolux_pipeline* pipeline, const void* frame, size_t bytes, int64_t number,
           const std::optional<device::Stream>& stream) {
    bool hasRoom = true;
    const int result = status([&] {
        FrameQueue& queue = queueOf(pipeline);
        given(frame, "frame");
        const std::size_t wanted = queue.snapshot()->input.bytes();
        if (bytes != wanted)
            throw Misuse{fmt::format("The frame has {} bytes, but this pipeline takes {}: {}.",
                                     bytes, wanted, queue.snapshot()->input.describe())};
        if (stream && queue.place().backend == Backend::Cpu)
            throw Misuse{"This pipeline runs on the CPU and takes frames in host memory alone; use "
                         "echolux_push()."};
        hasRoom = queue.push(frame, number, stream);
    });
    if (result != ECHOLUX_OK || hasRoom) return result;
    setLastError("The queue is full; take a result first.");
    return ECHOLUX_AGAIN;
}

int takenWithin(echolux_pipeline* pipeline, double seconds, bool complete) {
    bool isThere = false;
    const int result = status([&] {
        FrameQueue& queue = queueOf(pipeline);
        isThere = queue.take(seconds, complete);
        if (isThere) pipeline->describe(*queue.taken()->snapshot);
    });
    if (result != ECHOLUX_OK || isThere) return result;
    setLastError("No result is ready; push a frame first, or wait longer.");
    return ECHOLUX_AGAIN;
}

} // namespace

void echolux_pipeline::describe(const Snapshot& snapshot) {
    const std::scoped_lock lock(describing);
    outputs.resize(snapshot.views.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i] == nullptr) {
            outputs[i] = std::make_unique<echolux_spec>();
            addHandle(Kind::Spec, outputs[i].get());
        }
        const FrameSpec& spec = snapshot.outputOf(snapshot.views[i].source);
        FrameSpec& known = outputs[i]->spec;
        if (!known.sameLayout(spec) || known.axes != spec.axes ||
            known.valueRange != spec.valueRange)
            known = spec;
    }
}

echolux_pipeline::~echolux_pipeline() {
    if (queue != nullptr && !queue->isOfThisProcess())
        static_cast<void>(queue.release()); // its worker cannot be waited for
    removeHandle(Kind::Spec, &input);
    for (const auto& output : outputs) removeHandle(Kind::Spec, output.get());
}

FrameQueue& echolux::library::queueOf(const echolux_pipeline* pipeline) {
    FrameQueue& queue = *checked(Kind::Pipeline, pipeline, "pipeline").queue;
    if (queue.isOfThisProcess()) return queue;
    throw Misuse{
        "The pipeline belongs to the process that this one was forked from; make one here."};
}

echolux_pipeline* echolux_pipeline_new(const char* pipeline, const echolux_spec* input,
                                       const char* backend, int gpu, int queue) {
    return value<echolux_pipeline*>(nullptr, [&] {
        const FrameSpec& raw = checked(Kind::Spec, input, "input").spec;
        if (raw.axes.empty()) throw Misuse{"input has no axes; add them first."};
        if (queue < 1 || queue > kLongestQueue)
            throw Misuse{fmt::format("queue is {}, but must be 1 to {}.", queue, kLongestQueue)};
        const BackendChoice place = chooseBackend(given(backend, "backend"), gpu);
        const SnapshotPtr snapshot = instantiate(configOf(pipeline, raw), raw);
        auto made = std::make_unique<echolux_pipeline>();
        made->describe(*snapshot);
        made->input.spec = snapshot->input;
        addHandle(Kind::Spec, &made->input);
        made->queue = std::make_unique<FrameQueue>(place, snapshot, queue);
        addHandle(Kind::Pipeline, made.get());
        return made.release();
    });
}

void echolux_pipeline_free(echolux_pipeline* pipeline) {
    status([&] {
        if (pipeline == nullptr) return;
        checked(Kind::Pipeline, pipeline, "pipeline");
        removeHandle(Kind::Pipeline, pipeline);
        delete pipeline; // NOLINT: the caller's handle
    });
}

const char* echolux_pipeline_device(const echolux_pipeline* pipeline) {
    return value<const char*>(nullptr, [&] { return kept(queueOf(pipeline).place().device); });
}

const char* echolux_pipeline_text(const echolux_pipeline* pipeline) {
    return value<const char*>(
        nullptr, [&] { return kept(toToml(toConfig(*queueOf(pipeline).snapshot()))); });
}

const echolux_spec* echolux_pipeline_input(const echolux_pipeline* pipeline) {
    return value<const echolux_spec*>(
        nullptr, [&] { return &checked(Kind::Pipeline, pipeline, "pipeline").input; });
}

int echolux_set_policy(echolux_pipeline* pipeline, int policy) {
    return status([&] {
        FrameQueue& queue = queueOf(pipeline);
        switch (policy) {
        case ECHOLUX_BLOCK: return queue.setPolicy(Policy::Block);
        case ECHOLUX_DROP: return queue.setPolicy(Policy::Drop);
        case ECHOLUX_REFUSE: return queue.setPolicy(Policy::Refuse);
        default: throw Misuse{fmt::format("There is no policy {}; give 0, 1 or 2.", policy)};
        }
    });
}

int64_t echolux_dropped(const echolux_pipeline* pipeline) {
    return value<int64_t>(-1, [&] { return queueOf(pipeline).dropped(); });
}

int echolux_push(echolux_pipeline* pipeline, const void* frame, size_t bytes, int64_t number) {
    return pushed(pipeline, frame, bytes, number, std::nullopt);
}

int echolux_push_device(echolux_pipeline* pipeline, const void* frame, size_t bytes, int64_t number,
                        void* stream) {
    return pushed(pipeline, frame, bytes, number, stream);
}

int echolux_take(echolux_pipeline* pipeline, double seconds) {
    return takenWithin(pipeline, seconds, true);
}

int echolux_take_enqueued(echolux_pipeline* pipeline) { return takenWithin(pipeline, 0.0, false); }

int64_t echolux_result_number(const echolux_pipeline* pipeline) {
    return value<int64_t>(-1, [&] { return takenOf(pipeline).number; });
}

void* echolux_result_event(const echolux_pipeline* pipeline) {
    return value<void*>(nullptr, [&] { return takenOf(pipeline).ready.get(); });
}

int echolux_flush(echolux_pipeline* pipeline) {
    return status([&] { queueOf(pipeline).flush(); });
}

int echolux_restart(echolux_pipeline* pipeline) {
    return status([&] { queueOf(pipeline).restart(); });
}

int echolux_outputs(const echolux_pipeline* pipeline) {
    return value(-1, [&] { return static_cast<int>(queueOf(pipeline).snapshot()->views.size()); });
}

const char* echolux_output_name(const echolux_pipeline* pipeline, int output) {
    return value<const char*>(nullptr, [&] {
        const SnapshotPtr of = queueOf(pipeline).snapshot();
        if (output < 0 || static_cast<std::size_t>(output) >= of->views.size())
            throw Misuse{fmt::format("There is no output {}; the pipeline has {}.", output,
                                     of->views.size())};
        return kept(nameOf(of->views[static_cast<std::size_t>(output)]));
    });
}

const echolux_spec* echolux_output_spec(const echolux_pipeline* pipeline, const char* output) {
    return value<const echolux_spec*>(nullptr, [&]() -> const echolux_spec* {
        const std::size_t view = viewNamed(*queueOf(pipeline).snapshot(), output);
        const std::scoped_lock lock(pipeline->describing);
        return pipeline->outputs.at(view).get();
    });
}

int echolux_output_copy(echolux_pipeline* pipeline, const char* output, void* out, size_t bytes) {
    return status([&] {
        const Result& taken = takenOf(pipeline);
        const std::size_t view = viewNamed(*taken.snapshot, output);
        given(out, "out");
        if (bytes != taken.views[view].bytes())
            throw Misuse{fmt::format("out has {} bytes, but the output '{}' has {}.", bytes, output,
                                     taken.views[view].bytes())};
        queueOf(pipeline).copy(view, out);
    });
}

const void* echolux_output_memory(const echolux_pipeline* pipeline, const char* output) {
    return value<const void*>(nullptr, [&]() -> const void* {
        const Result& taken = takenOf(pipeline);
        return taken.views[viewNamed(*taken.snapshot, output)].data();
    });
}
