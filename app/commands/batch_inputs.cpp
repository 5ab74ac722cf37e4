// SPDX-License-Identifier: GPL-3.0-or-later
// Follows names of files through texts.
#include "app/commands/batch_inputs.hpp"

#include "app/dataset/formats/octproz.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/measure/measurement_file.hpp"
#include "app/pipeline/plugin_file.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace echolux {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// Empty where the file is no text that a person would write.
std::string shortText(const fs::path& path) {
    constexpr std::uintmax_t kMostBytes = 1U << 20U;
    std::error_code failed;
    const auto size = fs::file_size(path, failed);
    if (failed || size > kMostBytes) return {};
    std::ifstream stream(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    return text.find('\0') == std::string::npos ? text : std::string();
}

/// What stands in quotes, and words between blanks and brackets.
std::vector<std::string> wordsIn(const std::string& line) {
    std::vector<std::string> words;
    for (const char quote : {'"', '\''}) {
        std::istringstream rest(line);
        std::string part;
        for (int i = 0; std::getline(rest, part, quote); ++i)
            if (i % 2 == 1) words.push_back(part);
    }
    constexpr std::string_view kBetween = " \t\r=,:;()[]{}\"'#";
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t begin = std::min(line.find_first_not_of(kBetween, at), line.size());
        const std::size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
        if (end > begin) words.push_back(line.substr(begin, end - begin));
        at = end;
    }
    constexpr std::size_t kLongest = 4000;
    std::erase_if(words,
                  [](const std::string& word) { return word.empty() || word.size() > kLongest; });
    return words;
}

class Inputs {
public:
    std::vector<fs::path> take() { return std::move(m_files); }

    void addRecording(const fs::path& recording) {
        add(recording);
        fs::path beside = recording;
        beside += ".toml";
        follow(beside);
        for (const char* ending : {".toml", ".yml"})
            if (fs::path other = recording; other.replace_extension(ending) != recording)
                follow(other);
        std::error_code failed;
        const auto size = fs::file_size(recording, failed);
        if (failed) return;
        if (const auto kept = keptSidecarPath(recording, size)) follow(*kept);
        if (const auto meta = metaOf(recording)) follow(*meta);
        // NOTE: a header of unknown origin reaches files beside it alone.
        eachWord(recording, [&](const std::string& word, bool /*names a plugin*/) {
            if (word.find('.') == std::string::npos || std::ranges::none_of(word, isLetter)) return;
            const fs::path named = recording.parent_path() / fs::path(word).filename();
            if (isFile(named)) add(named);
        });
    }

    /// Adds the file, and those that it names.
    void follow(const fs::path& file) {
        if (!add(file) || !isFile(file)) return;
        const bool python = file.extension() == ".py";
        eachWord(file, [&](const std::string& word, bool namesPlugin) {
            const fs::path named = file.parent_path() / word;
            if (isFile(named)) follow(named);
            if (fs::path module = named; python && isFile(module += ".py")) follow(module);
            if (const auto plugin =
                    namesPlugin ? pluginNamed(word, file.parent_path()) : std::optional<fs::path>())
                follow(*plugin);
        });
    }

    /// False where it is known. Text of a file is compared as it is given.
    bool add(const fs::path& file) {
        const bool fresh = std::ranges::find(m_files, file) == m_files.end();
        if (fresh) m_files.push_back(file);
        return fresh;
    }

private:
    template <class Each> static void eachWord(const fs::path& file, const Each& each) {
        std::istringstream lines(shortText(file));
        for (std::string line; std::getline(lines, line);) {
            const bool namesPlugin = line.find("library") != std::string::npos ||
                                     line.find("import") != std::string::npos;
            for (const std::string& word : wordsIn(line)) each(word, namesPlugin);
        }
    }

    static bool isLetter(char each) { return std::isalpha(static_cast<unsigned char>(each)) != 0; }

    static std::optional<fs::path> metaOf(const fs::path& recording) {
        try {
            return findOctprozMeta(recording);
        } catch (const Error&) { // its step says what is wrong
            return std::nullopt;
        }
    }

    static std::optional<fs::path> pluginNamed(const std::string& word, const fs::path& folder) {
        try {
            return findPlugin(word, folder);
        } catch (const Error&) { // the word is no plugin; one that is missing fails in its step
            return std::nullopt;
        }
    }

    std::vector<fs::path> m_files;
};

} // namespace

std::vector<fs::path> inputsOf(const BatchNames& names) {
    Inputs inputs;
    inputs.addRecording(names.recording);
    if (names.measuresBeside) inputs.follow(measure::measurementsBeside(names.recording));
    for (const fs::path& named : names.named)
        if (isFile(named)) inputs.follow(named);
    return inputs.take();
}

} // namespace echolux
