// SPDX-License-Identifier: GPL-3.0-or-later
// Turns statements into stages, links and views.
#include "app/pipeline/filter_text.hpp"

#include "app/pipeline/filter_words.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kEnvironment = "environment";
constexpr std::string_view kBlanks = " \t\r";

struct Word {
    std::string text;
    Place place;
};

/// Splits a line into words. Text in brackets is one word.
std::vector<Word> wordsOf(std::string_view line, int number) {
    std::vector<Word> words;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
        const bool list = line[at] == '[';
        std::size_t end = list ? line.find(']', at) : line.find_first_of(kBlanks, at);
        if (list && end != std::string_view::npos) ++end;
        end = std::min(end, line.size());
        words.push_back(
            {std::string(line.substr(at, end - at)), {number, static_cast<int>(at) + 1}});
        at = line.find_first_not_of(kBlanks, end);
    }
    return words;
}

class FilterText {
public:
    FilterText(const std::string& origin, const std::filesystem::path& folder) : m_folder(folder) {
        m_config.origin = m_config.name = origin;
        m_config.inFilterLanguage = true;
    }

    PipelineConfig read(std::string_view text) {
        for (int number = 1; !text.empty(); ++number) {
            const auto end = text.find('\n');
            const std::vector<Word> words = wordsOf(text.substr(0, end), number);
            const bool isComment = !words.empty() && words[0].text.starts_with('#');
            if (isComment && number == 1) nameAfter(text.substr(0, end));
            if (!words.empty() && !isComment) readStatement(words);
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        }
        for (const std::vector<Word>& statement : m_parameters) setParameter(statement);
        for (const std::vector<Word>& statement : m_links) addLink(statement);
        checkLinks();
        if (m_config.stages.empty())
            throw Error(fmt::format("{} names no filter; add at least one.", m_config.origin));
        return std::move(m_config);
    }

private:
    template <class... Args> [[noreturn]] void
    refuse(const Place& place, fmt::format_string<Args...> sentence, Args&&... args) const {
        throw Error(whereIs(m_config, place) + fmt::format(sentence, std::forward<Args>(args)...));
    }

    /// Takes a name from "# NAME".
    void nameAfter(std::string_view comment) {
        const auto first = comment.find_first_not_of("# \t");
        const auto last = comment.find_last_not_of(kBlanks);
        if (first != std::string_view::npos && first <= last)
            m_config.name = comment.substr(first, last - first + 1);
    }

    /// `form`: fixed words, and * for any word.
    void expect(const std::vector<Word>& words, std::string_view form) const {
        const std::vector<Word> wanted = wordsOf(form, 0);
        for (std::size_t i = 0; i < std::max(wanted.size(), words.size()); ++i) {
            const bool fits = i < words.size() && i < wanted.size() &&
                              (wanted[i].text == "*" || wanted[i].text == words[i].text);
            if (!fits)
                refuse(words[std::min(i, words.size() - 1)].place, "the statement reads '{}'.",
                       form);
        }
    }

    void readStatement(const std::vector<Word>& words) {
        const std::string& first = words[0].text;
        if (first == kEnvironment) {
            expect(words, "environment *");
            if (words[1].text != "cuda" && words[1].text != "cpu")
                refuse(words[1].place, "there is no environment '{}'; choose cuda or cpu.",
                       words[1].text);
            m_config.environment.backend = words[1].text;
        } else if (first == "import") {
            expect(words, "import *");
            importLibrary(words[1]);
        } else if (first == "filter" || first == "view") {
            expect(words, first + " type * name *");
            addStage(words, first == "view");
        } else if (first == "set") {
            expect(words, "set param * value * * *");
            m_parameters.push_back(words);
        } else if (first == "link") {
            expect(words, "link source * dest *");
            m_links.push_back(words);
        } else {
            static const std::vector<std::string> kStatements{"environment", "import", "filter",
                                                              "view",        "set",    "link"};
            refuse(words[0].place, "there is no statement '{}'{}; use {}.", first,
                   didYouMean(first, kStatements), fmt::join(kStatements, ", "));
        }
    }

    /// What the libraries of the document offer is built in. Other libraries are plugins.
    void importLibrary(const Word& library) {
        if (library.text == "esaote_cuda" || library.text == "esaote_recon_cuda") return;
        try {
            m_config.plugins.push_back({usePlugin(findPlugin(library.text, m_folder)).path});
        } catch (const Error& error) {
            refuse(library.place, "{}", error.what());
        }
    }

    void addStage(const std::vector<Word>& words, bool isView) {
        const std::string& type = words[2].text;
        StageConfig stage;
        stage.id = words[4].text;
        stage.place = words[0].place;
        if (stage.id == kEnvironment || stage.id.find('@') != std::string::npos)
            refuse(words[4].place, "'{}' cannot be a name; choose another.", stage.id);
        const auto known = std::ranges::find_if(builtinFilters(), [&](const BuiltinFilter& each) {
            return each.name == type && each.isView == isView;
        });
        if (known != builtinFilters().end()) {
            stage.type = known->type;
            stage.values = known->values;
        } else {
            stage.type = ownType(words[2], isView);
        }
        m_names.push_back(known != builtinFilters().end() ? &*known : nullptr);
        m_config.stages.push_back(stage);
        if (isView)
            m_config.views.push_back({stage.id, "", {kOutputPort, stage.id}, words[0].place});
    }

    /// Every stage of this program is a filter too, under its own type.
    std::string ownType(const Word& type, bool isView) const {
        std::vector<std::string> known;
        for (const BuiltinFilter& each : builtinFilters())
            if (each.isView == isView) known.emplace_back(each.name);
        for (const StageType* each : knownStages()) {
            if (each->id == type.text) return type.text;
            if (!isView) known.push_back(each->id);
        }
        refuse(type.place, "there is no {} type '{}'{}; choose one of {}.",
               isView ? "view" : "filter", type.text, didYouMean(type.text, known),
               fmt::join(known, ", "));
    }

    std::size_t stageNamed(const Word& word, const std::string& id) const {
        const auto at = std::ranges::find(m_config.stages, id, &StageConfig::id);
        if (at != m_config.stages.end())
            return static_cast<std::size_t>(at - m_config.stages.begin());
        std::vector<std::string> known;
        for (const StageConfig& stage : m_config.stages) known.push_back(stage.id);
        refuse(word.place, "there is no filter or view '{}'{}; choose one of {}.", id,
               didYouMean(id, known), fmt::join(known, ", "));
    }

    /// Splits PORT@NAME or PARAM@NAME.
    PortName pairOf(const Word& word) const {
        const auto at = word.text.find('@');
        if (at == 0 || at == std::string::npos || at + 1 == word.text.size() ||
            word.text.find('@', at + 1) != std::string::npos)
            refuse(word.place, "'{}' is no pair of two names, as in in@{}.", word.text,
                   m_config.stages.empty() ? "name" : m_config.stages.front().id);
        return {word.text.substr(0, at), word.text.substr(at + 1)};
    }

    double number(const Word& list, std::string_view text) const {
        double value = 0.0;
        const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
        if (result.ec != std::errc() || result.ptr != text.data() + text.size() ||
            !std::isfinite(value))
            refuse(list.place, "'{}' is no number.", text);
        return value;
    }

    std::int64_t wholeNumber(const Word& list, std::string_view text) const {
        std::int64_t value = 0;
        const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
        if (result.ec == std::errc::result_out_of_range)
            refuse(list.place, "'{}' is too large for a whole number of 64 bits.", text);
        if (result.ec != std::errc() || result.ptr != text.data() + text.size())
            refuse(list.place, "'{}' is no whole number, which the type 'int' stands for.", text);
        return value;
    }

    /// The entries of "[v v v]", separated by blanks or commas.
    std::vector<std::string> entriesOf(const Word& list) const {
        std::string inside = list.text;
        if (inside.size() < 2 || inside.front() != '[' || inside.back() != ']')
            refuse(list.place, "the values stand in brackets, as in [1 2 3].");
        inside = inside.substr(1, inside.size() - 2);
        std::ranges::replace(inside, ',', ' ');
        std::vector<std::string> entries;
        for (Word& word : wordsOf(inside, 0)) entries.push_back(std::move(word.text));
        return entries;
    }

    ParamValue valueOf(const std::vector<Word>& words, bool isList) const {
        const std::string& type = words[4].text;
        const std::vector<std::string> entries = entriesOf(words[6]);
        if (wholeNumber(words[5], words[5].text) != std::ssize(entries))
            refuse(words[5].place, "{} values are announced, but {} stand in brackets.",
                   words[5].text, entries.size());
        if (entries.empty()) refuse(words[6].place, "give at least one value.");
        if (isList) {
            std::vector<double> list(entries.size());
            std::ranges::transform(entries, list.begin(), [&](const std::string& entry) {
                return type == "int" ? static_cast<double>(wholeNumber(words[6], entry))
                                     : number(words[6], entry);
            });
            return list;
        }
        if (entries.size() > 1) refuse(words[5].place, "'{}' takes one value.", words[2].text);
        if (type == "float" || type == "double") return number(words[6], entries[0]);
        if (type == "int") return wholeNumber(words[6], entries[0]);
        if (type == "string") return entries[0];
        if (type != "bool")
            refuse(words[4].place, "there is no type '{}'; use float, int, bool or string.", type);
        if (entries[0] != "true" && entries[0] != "false")
            refuse(words[6].place, "'{}' is neither true nor false.", entries[0]);
        return entries[0] == "true";
    }

    void setParameter(const std::vector<Word>& words) {
        const PortName name = pairOf(words[2]);
        const std::size_t at = stageNamed(words[2], name.stage);
        StageConfig& stage = m_config.stages[at];
        std::string key = name.port;
        if (m_names[at] != nullptr) {
            for (const auto& [theirs, ours] : m_names[at]->keys)
                if (theirs == key) key = ours;
        }
        const ParamTable& table = stageType(stage.type).table;
        const ParamRow* row = table.find(key);
        const bool isList =
            row != nullptr && (row->type == ParamType::RealList ||
                               (row->type == ParamType::Mask && words[4].text != "string"));
        Params checked(table);
        const ParamValue value = valueOf(words, isList);
        try {
            checked.set(whereIs(m_config, words[2].place) + "'" + stage.id + "'", key, value);
        } catch (const Error& error) {
            throw Error(inFilterWords(error.what()));
        }
        setValue(stage, key, checked.get(key));
    }

    void addLink(const std::vector<Word>& words) {
        PortName from = pairOf(words[2]);
        const PortName to = pairOf(words[4]);
        if (from.stage == kEnvironment) {
            if (from.port != kRecordingPort)
                refuse(words[2].place, "the environment has no port '{}'; use {}@{}.", from.port,
                       kRecordingPort, kEnvironment);
            const bool converts = m_config.stages[stageNamed(words[4], to.stage)].type == kToFloat;
            from = converts ? PortName{kRecordingPort, kRecording}
                            : PortName{kOutputPort, converted()};
        }
        m_config.links.push_back({from, to, words[0].place});
    }

    /// The framework's frames are floats, but a recording holds converter codes. So this adds a
    /// conversion.
    std::string converted() {
        if (!m_converter.empty()) return m_converter;
        m_converter = kToFloat;
        while (std::ranges::find(m_config.stages, m_converter, &StageConfig::id) !=
               m_config.stages.end())
            m_converter += '_';
        m_config.stages.insert(m_config.stages.begin(),
                               StageConfig{m_converter, kToFloat, false, {}, {}});
        m_names.insert(m_names.begin(), nullptr);
        m_config.links.push_back({{kRecordingPort, kRecording}, {"in", m_converter}, {}});
        return m_converter;
    }

    /// This language makes no link by itself.
    void checkLinks() const {
        for (const StageConfig& stage : m_config.stages) {
            const StageType& type = stageType(stage.type);
            for (std::size_t i = 0; i < type.inputs.size(); ++i) {
                const PortName port{type.inputs[i].name, stage.id};
                if (std::ranges::find(m_config.links, port, &LinkConfig::to) ==
                    m_config.links.end())
                    refuse(stage.place, "nothing leads to {}; add a link.", toText(port));
            }
        }
    }

    static constexpr const char* kToFloat = "to_float";
    PipelineConfig m_config;
    std::filesystem::path m_folder;
    std::vector<const BuiltinFilter*> m_names; ///< per stage; null for stages under their own names
    std::vector<std::vector<Word>> m_parameters;
    std::vector<std::vector<Word>> m_links;
    std::string m_converter;
};

} // namespace

bool isFilterText(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::vector<Word> words = wordsOf(text.substr(at, end - at), 1);
        if (!words.empty() && !words[0].text.starts_with('#'))
            return words.size() == 2 && words[0].text == kEnvironment;
        at = end + 1;
    }
    return false;
}

PipelineConfig parseFilterText(std::string_view text, const std::string& origin,
                               const std::filesystem::path& folder) {
    return FilterText(origin, folder).read(text);
}

} // namespace echolux
