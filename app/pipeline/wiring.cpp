// SPDX-License-Identifier: GPL-3.0-or-later
// Resolves names to places, and finds the order in which stages can run.
#include "app/pipeline/wiring.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

namespace echolux {
namespace {

constexpr Source kUnlinked{std::numeric_limits<std::size_t>::max() - 1};

class Linker {
public:
    explicit Linker(const PipelineConfig& config) : m_config(config) {
        for (const StageConfig& stage : config.stages) {
            m_ids.push_back(stage.id);
            m_types.push_back(&typeOf(stage));
            m_inputs.emplace_back(m_types.back()->inputs.size(), kUnlinked);
        }
        checkIds();
        for (const LinkConfig& link : config.links) add(link);
        linkTheRest();
    }

    /// Sources per stage of the config and port. They name stages by their indices in the config.
    const std::vector<std::vector<Source>>& inputs() const { return m_inputs; }

    Source outputNamed(const PortName& name, const Place& place) const {
        std::vector<std::string> outputs{kRecordingPort};
        Source source;
        if (name.stage != kRecording) {
            source.stage = stageNamed(name.stage, place, true);
            outputs = m_types[source.stage]->outputNames();
        }
        const auto port = std::ranges::find(outputs, name.port);
        if (port == outputs.end()) {
            const std::string meant = didYouMean(name.port, outputs);
            for (std::string& output : outputs) output = fmt::format("'{}@{}'", output, name.stage);
            refuse(place, "'{}' has no output '{}'{}; its {} {}.", name.stage, name.port, meant,
                   outputs.size() == 1 ? "output is" : "outputs are", fmt::join(outputs, ", "));
        }
        source.output = static_cast<std::size_t>(port - outputs.begin());
        return source;
    }

private:
    template <class... Args> [[noreturn]] void
    refuse(const Place& place, fmt::format_string<Args...> text, Args&&... args) const {
        throw Error(whereIs(m_config, place) + fmt::format(text, std::forward<Args>(args)...));
    }

    const StageType& typeOf(const StageConfig& stage) const {
        try {
            return stageType(stage.type);
        } catch (const Error& error) {
            throw Error(whereIs(m_config, stage.place) + error.what());
        }
    }

    void checkIds() const {
        for (std::size_t i = 0; i < m_ids.size(); ++i) {
            const Place& place = m_config.stages[i].place;
            if (m_ids[i] == kRecording) {
                refuse(place,
                       "a stage cannot be called '{}', which is where frames come from; "
                       "give it another 'id'.",
                       kRecording);
            }
            if (std::ranges::find(m_ids.begin(), m_ids.begin() + static_cast<std::ptrdiff_t>(i),
                                  m_ids[i]) != m_ids.begin() + static_cast<std::ptrdiff_t>(i))
                refuse(place, "the stage id '{}' is used twice; give one of them its own 'id'.",
                       m_ids[i]);
        }
    }

    std::size_t stageNamed(const std::string& id, const Place& place, bool source) const {
        const auto at = std::ranges::find(m_ids, id);
        if (at != m_ids.end()) return static_cast<std::size_t>(at - m_ids.begin());
        std::vector<std::string> known = m_ids;
        if (source) known.emplace_back(kRecording);
        refuse(place, "there is no stage '{}'{}; choose one of {}.", id, didYouMean(id, known),
               fmt::join(known, ", "));
    }

    void add(const LinkConfig& link) {
        const Source from = outputNamed(link.from, link.place);
        const std::size_t to = stageNamed(link.to.stage, link.place, false);
        const StageType& type = *m_types[to];
        std::vector<std::string> names;
        for (std::size_t i = 0; i < type.inputs.size(); ++i) names.push_back(type.inputs[i].name);
        const auto port = std::ranges::find(names, link.to.port);
        if (port == names.end())
            refuse(link.place, "stage '{}' has no input '{}'{}; it has {}.", link.to.stage,
                   link.to.port, didYouMean(link.to.port, names), fmt::join(names, ", "));
        Source& input = m_inputs[to][static_cast<std::size_t>(port - names.begin())];
        if (input != kUnlinked)
            refuse(link.place, "two links lead to '{}'; take one of them out.", toText(link.to));
        input = from;
        if (!link.ofFrameBefore) return;
        input.ofFrameBefore = true;
        if (port == names.begin()) {
            refuse(link.place,
                   "'{}' takes the frame that the stage hands on when it is bypassed, which is not "
                   "the one before; link the frame before to a further input, as in2 of compare.",
                   toText(link.to));
        }
        if (from.isRecording()) {
            refuse(link.place,
                   "of the recording no frame before is kept; link the output of a stage that "
                   "takes it, as to_float.");
        }
    }

    void linkTheRest() {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            if (m_inputs[i][0] == kUnlinked) m_inputs[i][0] = i == 0 ? Source{} : Source{i - 1};
            const auto open = std::ranges::find(m_inputs[i], kUnlinked);
            if (open == m_inputs[i].end()) continue;
            const auto port = static_cast<std::size_t>(open - m_inputs[i].begin());
            refuse(m_config.stages[i].place,
                   "nothing leads to '{}@{}'; add a link, for example from the output of the stage "
                   "that it is to be compared with.",
                   m_types[i]->inputs[port].name, m_ids[i]);
        }
    }

    const PipelineConfig& m_config;
    std::vector<std::string> m_ids;
    std::vector<const StageType*> m_types;
    std::vector<std::vector<Source>> m_inputs;
};

/// True where a stage's input exists once the stages in `done` have run.
bool isThereBefore(Source from, const std::vector<bool>& done) {
    return from.isRecording() || from.ofFrameBefore || done[from.stage];
}

/// One cycle: it starts from any stage that never became ready, and follows what each stage waits
/// for.
std::string cycleIn(const PipelineConfig& config, const std::vector<std::vector<Source>>& inputs,
                    const std::vector<bool>& done) {
    std::size_t at = static_cast<std::size_t>(std::ranges::find(done, false) - done.begin());
    std::vector<std::size_t> way;
    while (std::ranges::find(way, at) == way.end()) {
        way.push_back(at);
        at = std::ranges::find_if(inputs[at], [&](Source from) {
                 return !isThereBefore(from, done);
             })->stage;
    }
    std::vector<std::string> names{config.stages[at].id};
    for (auto back = way.rbegin(); *back != at; ++back) names.push_back(config.stages[*back].id);
    names.push_back(config.stages[at].id);
    return fmt::format("{}", fmt::join(names, " -> "));
}

std::vector<std::size_t> orderOf(const PipelineConfig& config,
                                 const std::vector<std::vector<Source>>& inputs) {
    std::vector<bool> done(inputs.size(), false);
    std::vector<std::size_t> order;
    const auto isReady = [&](std::size_t stage) {
        return std::ranges::all_of(inputs[stage],
                                   [&](Source from) { return isThereBefore(from, done); });
    };
    while (order.size() < inputs.size()) {
        std::size_t next = 0;
        while (next < inputs.size() && (done[next] || !isReady(next))) ++next;
        if (next == inputs.size()) {
            const auto stuck = std::ranges::find(done, false) - done.begin();
            throw Error(whereIs(config, config.stages[static_cast<std::size_t>(stuck)].place) +
                        fmt::format("the links go round in a circle, {}; take one of them out, or "
                                    "let one take the frame before, by 'frames_before = 1'.",
                                    cycleIn(config, inputs, done)));
        }
        done[next] = true;
        order.push_back(next);
    }
    return order;
}

/// Number of the view that `view` is drawn over. Throws Error where it is none, the view itself, or
/// itself drawn over another.
std::optional<std::size_t> viewBeneath(const PipelineConfig& config, const ViewConfig& view) {
    if (view.over.empty()) return std::nullopt;
    const auto beneath = std::ranges::find(config.views, view.over, &ViewConfig::id);
    const auto refuse = [&](const std::string& why) {
        throw Error(
            whereIs(config, view.place) +
            fmt::format("the view '{}' cannot be drawn over '{}': {}.", view.id, view.over, why));
    };
    if (beneath == config.views.end()) {
        std::vector<std::string> others;
        for (const ViewConfig& each : config.views)
            if (each.id != view.id) others.push_back(each.id);
        refuse(fmt::format("there is no such view; the others are: {}", fmt::join(others, ", ")));
    }
    if (beneath->id == view.id) refuse("a view has another one beneath it");
    if (!beneath->over.empty()) refuse("that one has a view beneath it already");
    return static_cast<std::size_t>(beneath - config.views.begin());
}

} // namespace

Wiring wire(const PipelineConfig& config) {
    const Linker linker(config);
    Wiring wiring;
    wiring.order = orderOf(config, linker.inputs());
    std::vector<std::size_t> places(config.stages.size());
    for (std::size_t i = 0; i < wiring.order.size(); ++i) places[wiring.order[i]] = i;
    const auto placed = [&](Source source) {
        if (!source.isRecording()) source.stage = places[source.stage];
        return source;
    };
    for (const std::size_t stage : wiring.order) {
        std::vector<Source>& sources = wiring.inputs.emplace_back();
        for (const Source from : linker.inputs()[stage]) sources.push_back(placed(from));
    }
    if (config.views.size() > kMostViews)
        throw Error(whereIs(config, config.views[kMostViews].place) +
                    fmt::format("a pipeline has {} views at most; take one out.", kMostViews));
    for (auto view = config.views.begin(); view != config.views.end(); ++view) {
        if (std::ranges::find(config.views.begin(), view, view->id, &ViewConfig::id) != view) {
            throw Error(
                whereIs(config, view->place) +
                fmt::format("the view id '{}' is used twice; give one of them another.", view->id));
        }
        wiring.views.push_back(placed(linker.outputNamed(view->from, view->place)));
        wiring.beneath.push_back(viewBeneath(config, *view));
    }
    if (wiring.views.empty())
        wiring.views.push_back(config.stages.empty() ? Source{}
                                                     : placed({config.stages.size() - 1}));
    return wiring;
}

} // namespace echolux
