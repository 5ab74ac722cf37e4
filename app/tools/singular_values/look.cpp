// SPDX-License-Identifier: GPL-3.0-or-later
// The same functions that the stage runs, for all singular values.
#include "app/tools/singular_values/look.hpp"

#include "gpu/memory/transfer.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stages/clutter_filter.hpp"

#include <cstring>
#include <utility>

namespace echolux {
namespace {

/// Where things lie in compute memory.
struct LookMemory {
    flow::SingularParts found;
    void* scratch;
    std::size_t copied; ///< bytes from the beginning: values and range
    std::size_t bytes;

    LookMemory(void* memory, int frames, std::int64_t pixels) {
        MemoryParts parts(memory);
        const std::int64_t count = frames;
        found.range = parts.take<flow::SingularRange>(1);
        found.values = parts.take<flow::SingularValue>(count);
        copied = parts.bytes();
        found.vectors = parts.take<Complex>(count * count);
        scratch =
            parts.take<std::byte>(static_cast<std::int64_t>(flow::singularBytes(frames, pixels)));
        bytes = parts.bytes();
    }
};

void ensure(Buffer& buffer, MemoryKind kind, std::size_t bytes) {
    if (buffer.bytes() != bytes) buffer = Buffer(kind, bytes);
}

} // namespace

const StageState* singularStage(const Snapshot& snapshot) {
    for (const StageState& stage : snapshot.stages) {
        const std::optional<KeptNumbers>& kept = stage.type->shown.kept;
        if (!stage.bypass && kept && stage.params.holds(kept->onlyWith)) return &stage;
    }
    return nullptr;
}

std::optional<std::string> ensembleStage(const Snapshot& snapshot) {
    const StageState* stage = singularStage(snapshot);
    if (stage == nullptr) return std::nullopt;
    const Source source = snapshot.resolved(stage->sources.front());
    if (source.isRecording() || source.output != 0 || source.ofFrameBefore) return std::nullopt;
    return snapshot.stages[source.stage].id;
}

SingularLook::SingularLook(const LookPlace& place)
    : AskedLook(place), m_backend(place.backend), m_stream(place.backend, "singular values") {}

std::vector<std::string> SingularLook::outputs(const Snapshot& snapshot) {
    const auto ensemble = ensembleStage(snapshot);
    return ensemble ? std::vector{*ensemble} : std::vector<std::string>();
}

std::shared_ptr<const SingularValues> SingularLook::look(const std::string& wanted,
                                                         const LookFrame& frame) {
    const StageState* stage = singularStage(*frame.snapshot);
    const auto kept = ensembleStage(*frame.snapshot);
    if (stage == nullptr || !kept || stage->id != wanted) return nullptr;
    const ConstTensorView ensemble = frame.kept(*kept);
    if (ensemble.data == nullptr) return nullptr;
    const auto frames = static_cast<int>(ensemble.spec->axes.front().size);
    const std::int64_t pixels = ensemble.spec->count() / frames;
    auto found = std::make_shared<SingularValues>();
    found->asked = wanted;
    found->frameTimeS = flow::frameTimeS(*ensemble.spec);
    const auto rule = singularRule(stage->params, frames, found->frameTimeS);
    if (!rule) return nullptr;
    const bool similar = rule->by == flow::ChosenBy::Similarity;
    ensure(m_memory, computeMemory(m_backend), LookMemory(nullptr, frames, pixels).bytes);
    ensure(m_parts, computeMemory(m_backend), similar ? ensemble.spec->bytes() : 0);
    const LookMemory memory(m_memory.data(), frames, pixels);
    ensure(m_staging, stagingMemory(m_backend), memory.copied);
    const Exec exec{m_backend, m_stream.get()};
    flow::findSingularParts(exec, "singular values",
                            {ensemble.as<Complex>(), m_parts.as<Complex>(), frames, pixels}, *rule,
                            memory.scratch, memory.found);
    downloadLine(exec, m_staging.data(), m_memory.data(), memory.copied, 1, memory.copied);
    m_stream.synchronize();
    const LookMemory copy(m_staging.data(), frames, pixels);
    found->values.assign(copy.found.values, copy.found.values + frames);
    found->kept = *copy.found.range;
    return found;
}

} // namespace echolux
