// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pipeline/pipeline_reader.hpp"

#include "app/pipeline/pipeline_keys.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr std::int64_t kCountsFromOne = 3; ///< first version in which such choices count from 1
const std::vector<std::string> kStageKeys{"id",      "type", "input", "bypass",
                                          "backend", "fuse", "set"};

Place placeOf(const toml::node& node) {
    return {static_cast<int>(node.source().begin.line),
            static_cast<int>(node.source().begin.column)};
}

/// True where `key` of a stage is the number of the one item that the stage picks.
bool isOneOfSeveral(const std::string& type, const std::string& key) {
    static const std::vector<std::pair<std::string, std::string>> kChoices{
        {"one_transmit", "transmit"},
        {"log_compression", "transmit"},
        {"linear_map", "transmit"},
        {"one_channel", "channel"},
        {"one_frame", "frame"}};
    return std::ranges::find(kChoices, std::pair(type, key)) != kChoices.end();
}

/// A value as files of former programs have it, and as it is now.
ParamValue asNow(const std::string& type, const std::string& key, ParamValue value) {
    const auto* flag = std::get_if<bool>(&value);
    if (flag != nullptr && type == "aberration" && key == "warm_start")
        return std::string(*flag ? "frame" : "none");
    return value;
}

/// Reads one file.
class Reader {
public:
    Reader(const std::string& origin, const std::filesystem::path& folder) : m_folder(folder) {
        m_config.origin = origin;
    }

    PipelineConfig read(const toml::table& root) {
        m_version = root["version"].value_exact<std::int64_t>().value_or(0);
        if (m_version < 1 || m_version > kPipelineVersion) {
            throw Error(fmt::format(
                "{} has pipeline version {}, but this program reads versions 1 to {}; write "
                "'version = {}' or use a newer program.",
                m_config.origin, m_version, kPipelineVersion, kPipelineVersion));
        }
        checkKeys(root, m_version == 1
                            ? std::vector<std::string>{"version", "name", "stage"}
                            : std::vector<std::string>{"version", "name", "environment", kRecording,
                                                       kPluginKey, "stage", "link", "view"});
        m_config.name = text(root, "name").value_or(m_config.origin);
        if (const toml::node* node = root.get("environment")) readEnvironment(*node);
        if (const toml::node* node = root.get(kRecording)) readRecording(*node);
        forEachTable(root, kPluginKey, [this](const toml::table& entry) { readPlugin(entry); });
        forEachTable(root, "stage", [this](const toml::table& entry) { readStage(entry); });
        if (m_config.stages.empty()) {
            throw Error(fmt::format("{} names no stage; add at least one [[stage]] with a type.",
                                    m_config.origin));
        }
        forEachTable(root, "link", [this](const toml::table& entry) { readLink(entry); });
        forEachTable(root, "view", [this](const toml::table& entry) { readView(entry); });
        return std::move(m_config);
    }

private:
    template <class... Args> [[noreturn]] void
    refuse(const toml::node& at, fmt::format_string<Args...> sentence, Args&&... args) const {
        throw Error(whereIs(m_config, placeOf(at)) +
                    fmt::format(sentence, std::forward<Args>(args)...));
    }

    void checkKeys(const toml::table& table, const std::vector<std::string>& allowed) const {
        for (const auto& [key, value] : table) {
            const std::string name(key.str());
            if (std::ranges::find(allowed, name) != allowed.end()) continue;
            refuseKey(key, fmt::format("the key '{}' is not known{}; use {}.", name,
                                       didYouMean(name, allowed), fmt::join(allowed, ", ")));
        }
    }

    [[noreturn]] void refuseKey(const toml::key& key, const std::string& sentence) const {
        throw Error(whereIs(m_config, {static_cast<int>(key.source().begin.line),
                                       static_cast<int>(key.source().begin.column)}) +
                    sentence);
    }

    /// The value of `key` in `table`; nothing where there is no such key. Anything but a `kind` is
    /// refused.
    template <class T>
    std::optional<T> valueAt(const toml::table& table, const char* key, const char* kind) const {
        const toml::node* node = table.get(key);
        if (node == nullptr) return std::nullopt;
        std::optional<T> value = node->value_exact<T>();
        if (!value) refuse(*node, "'{}' must be {}.", key, kind);
        return value;
    }
    std::optional<std::string> text(const toml::table& table, const char* key) const {
        return valueAt<std::string>(table, key, "text in quotes");
    }

    template <class Read>
    void forEachTable(const toml::table& root, const char* key, const Read& readOne) const {
        const toml::node* node = root.get(key);
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        if (list == nullptr) refuse(*node, "'{}' must be a list of tables [[{}]].", key, key);
        for (const toml::node& each : *list) {
            const toml::table* entry = each.as_table();
            if (entry == nullptr) refuse(each, "'{}' must be a list of tables [[{}]].", key, key);
            readOne(*entry);
        }
    }

    void readEnvironment(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) refuse(node, "'environment' must be a table [environment].");
        checkKeys(*table, {"backend", "device"});
        const std::string backend = text(*table, "backend").value_or("auto");
        if (backend != "auto" && backend != "cpu" && backend != "cuda")
            refuse(*table->get("backend"), "there is no backend '{}'; choose auto, cpu or cuda.",
                   backend);
        if (backend != "auto") m_config.environment.backend = backend;
        m_config.environment.device =
            valueAt<std::int64_t>(*table, "device", "the number of a GPU, 0 or more");
        if (m_config.environment.device.value_or(0) < 0)
            refuse(*table->get("device"), "'device' must be the number of a GPU, 0 or more.");
    }

    void readRecording(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) refuse(node, "'{0}' must be a table [{0}].", kRecording);
        checkKeys(*table, {kEnsembleKey, kRepeatsKey});
        if (table->contains(kEnsembleKey) && table->contains(kRepeatsKey)) {
            refuse(*table->get(kRepeatsKey),
                   "keep '{}' or '{}': both say how many frames make an ensemble.", kEnsembleKey,
                   kRepeatsKey);
        }
        m_config.recording.ensemble = frames(*table, kEnsembleKey).value_or(1);
        m_config.recording.repeats = frames(*table, kRepeatsKey).value_or(0);
    }

    std::optional<std::int64_t> frames(const toml::table& table, const char* key) const {
        const std::string kind =
            fmt::format("a whole number of frames, 1 to {}", kMostEnsembleFrames);
        const auto count = valueAt<std::int64_t>(table, key, kind.c_str());
        if (count && (*count < 1 || *count > kMostEnsembleFrames))
            refuse(*table.get(key), "'{}' is {}, but must be {}.", key, *count, kind);
        return count;
    }

    /// Loads the library, so that the stages below may be its own.
    void readPlugin(const toml::table& entry) {
        checkKeys(entry, {kLibraryKey});
        const auto library = text(entry, kLibraryKey);
        if (!library || library->empty())
            refuse(entry, "a [[{}]] needs a {}: the file of the plugin.", kPluginKey, kLibraryKey);
        try {
            m_config.plugins.push_back({usePlugin(findPlugin(*library, m_folder)).path});
        } catch (const Error& error) {
            refuse(*entry.get(kLibraryKey), "{}", error.what());
        }
    }

    ParamValue paramValue(const toml::node& value) const {
        if (const auto flag = value.value_exact<bool>()) return *flag;
        if (const auto whole = value.value_exact<std::int64_t>()) return *whole;
        if (const auto real = value.value_exact<double>()) return *real;
        if (const auto words = value.value_exact<std::string>()) return *words;
        const toml::array* entries = value.as_array();
        if (entries == nullptr)
            refuse(value, "a parameter is true, false, a number, a text or a list of numbers.");
        std::vector<double> list;
        for (const toml::node& each : *entries) {
            if (!each.is_number()) refuse(each, "a list holds numbers only.");
            list.push_back(*each.value<double>());
        }
        return list;
    }

    /// A parameter that stands beside `type` is in the wrong place, but not unknown. Keys of the
    /// stage itself come first.
    void checkParameterPlaces(const toml::table& entry, const StageType& type) const {
        for (const auto& [key, value] : entry) {
            const std::string name(key.str());
            const bool ofStage = std::ranges::find(kStageKeys, name) != kStageKeys.end();
            if (ofStage || type.table.find(name) == nullptr) continue;
            refuseKey(key, fmt::format("'{}' is a parameter of {} and belongs under [stage.set]: "
                                       "put it below such a line, after the stage's other keys.",
                                       name, type.id));
        }
    }

    void readStage(const toml::table& entry) {
        const auto typeId = text(entry, "type");
        if (!typeId) checkKeys(entry, kStageKeys);
        if (!typeId) refuse(entry, "a [[stage]] needs a type; 'echolux stages' lists them.");
        StageConfig stage;
        stage.type = *typeId;
        stage.place = placeOf(entry);
        const StageType& type = known(*entry.get("type"), stage.type);
        checkParameterPlaces(entry, type);
        checkKeys(entry, kStageKeys);
        stage.id = text(entry, "id").value_or(type.id);
        if (stage.id.empty() || stage.id.find_first_of("@ \t\n\"") != std::string::npos)
            refuse(*entry.get("id"), "the stage id '{}' must be a word without blanks and '@'.",
                   stage.id);
        stage.bypass = valueAt<bool>(entry, "bypass", "true or false").value_or(false);
        if (stage.bypass && !type.bypassable)
            refuse(*entry.get("bypass"), "stage '{}' cannot be bypassed.", stage.id);
        const auto backend = text(entry, "backend");
        if (backend && *backend != "cpu") {
            refuse(*entry.get("backend"),
                   "the backend of a stage is \"cpu\", not '{}'; leave it out to let the stage run "
                   "where the others do.",
                   *backend);
        }
        stage.onCpu = backend.has_value();
        stage.alone = !valueAt<bool>(entry, "fuse", "true or false").value_or(true);
        if (const toml::node* input = entry.get("input")) {
            const auto from = toPortName(text(entry, "input").value_or(""), "");
            if (!from) refuse(*input, "'input' names the stage whose output is taken.");
            m_config.links.push_back({*from, {type.inputs[0].name, stage.id}, placeOf(*input)});
        }
        if (const toml::node* node = entry.get("set")) readValues(*node, type, stage);
        m_config.stages.push_back(std::move(stage));
    }

    const StageType& known(const toml::node& at, const std::string& typeId) const {
        try {
            return stageType(typeId);
        } catch (const Error& error) {
            refuse(at, "{}", error.what());
        }
    }

    void readValues(const toml::node& node, const StageType& type, StageConfig& stage) const {
        const toml::table* set = node.as_table();
        if (set == nullptr) refuse(node, "'set' must be a table of parameters.");
        Params checked(type.table);
        for (const auto& [key, value] : *set) {
            const std::string owner =
                whereIs(m_config, placeOf(value)) + "stage '" + stage.id + "'";
            const std::string name(key.str());
            ParamValue read = asNow(type.id, name, paramValue(value));
            if (m_version < kCountsFromOne && isOneOfSeveral(type.id, name)) {
                if (auto* number = std::get_if<std::int64_t>(&read))
                    *number += *number < std::numeric_limits<std::int64_t>::max() ? 1 : 0;
                if (auto* number = std::get_if<double>(&read))
                    *number += 1.0; // "3.0" is accepted too
            }
            checked.set(owner, name, read);
        }
        for (const ParamRow& row : type.table.rows()) {
            if (set->contains(row.key)) stage.values.emplace_back(row.key, checked.get(row.key));
        }
    }

    PortName portNamed(const toml::table& entry, const char* key, const char* usual) const {
        const auto name = toPortName(text(entry, key).value_or(""), usual);
        if (!name) {
            const toml::node* node = entry.get(key);
            refuse(node != nullptr ? *node : static_cast<const toml::node&>(entry),
                   "'{}' must name a port, as in \"{}@beamform\".", key,
                   *usual != '\0' ? usual : kOutputPort);
        }
        return *name;
    }

    void readLink(const toml::table& entry) {
        checkKeys(entry, {"from", "to", kFramesBeforeKey});
        LinkConfig link{portNamed(entry, "from", ""), portNamed(entry, "to", "in"), placeOf(entry)};
        const std::string kinds = "1 for the frame before, or 0 for this one";
        const auto before = valueAt<std::int64_t>(entry, kFramesBeforeKey, kinds.c_str());
        if (before && *before != 0 && *before != 1)
            refuse(*entry.get(kFramesBeforeKey), "'{}' must be {}.", kFramesBeforeKey, kinds);
        link.ofFrameBefore = before == 1;
        m_config.links.push_back(std::move(link));
    }

    void readView(const toml::table& entry) {
        checkKeys(entry, {"id", "label", "input", "over", "main"});
        ViewConfig view;
        view.from = portNamed(entry, "input", "");
        view.id = text(entry, "id").value_or(view.from.stage);
        view.label = text(entry, "label").value_or("");
        view.over = text(entry, "over").value_or("");
        view.main = valueAt<bool>(entry, "main", "true or false").value_or(false);
        for (const ViewConfig& each : m_config.views) {
            if (view.main && each.main)
                refuse(*entry.get("main"), "'{}' and '{}' cannot both be the main view.", each.id,
                       view.id);
        }
        view.place = placeOf(entry);
        m_config.views.push_back(std::move(view));
    }

    PipelineConfig m_config;
    std::filesystem::path m_folder;
    std::int64_t m_version = kPipelineVersion;
};

} // namespace

PipelineConfig readPipeline(const toml::table& root, const std::string& origin,
                            const std::filesystem::path& folder) {
    return Reader(origin, folder).read(root);
}

} // namespace echolux
