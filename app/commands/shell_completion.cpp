// SPDX-License-Identifier: GPL-3.0-or-later
// Writes shell code that completes command lines. Each shell first finds the command that the words
// before the cursor name ("simulate oct"; empty for the program itself), then offers what that
// command takes.
#include "app/commands/written_pages.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

namespace {

struct Placed {
    std::string path; ///< the words that name the command, without the program
    const CommandText* command;
};

void place(const CommandText& command, const std::string& path, std::vector<Placed>& all) {
    all.push_back({path, &command});
    for (const CommandText& below : command.commands)
        place(below, path.empty() ? below.name : path + " " + below.name, all);
}

std::vector<Placed> placesOf(const CommandText& program) {
    std::vector<Placed> all;
    place(program, "", all);
    return all;
}

/// The first part of a help line, short enough for a list beside the words.
std::string brief(const std::string& help) {
    constexpr std::size_t kMost = 72;
    std::string text = help;
    for (const char* end : {"\n", "; ", ": ", ". ", " ("}) text = text.substr(0, text.find(end));
    if (text.size() <= kMost) return text;
    return text.substr(0, text.rfind(' ', kMost)) + " ...";
}

/// In single quotes of a POSIX shell or zsh.
std::string quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
        text.replace(at, 1, "'\\''");
    return "'" + text + "'";
}

std::vector<std::string> namesOf(const std::vector<CommandText>& commands) {
    std::vector<std::string> names;
    for (const CommandText& each : commands) names.push_back(each.name);
    return names;
}

std::vector<std::string> optionNames(const CommandText& command) {
    std::vector<std::string> names;
    for (const OptionText& option : command.options)
        if (!option.isPositional)
            names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

/// Words that may stand where no option does: commands, and choices of positional arguments.
std::vector<std::string> plainWords(const CommandText& command) {
    std::vector<std::string> words = namesOf(command.commands);
    for (const OptionText& option : command.options)
        if (option.isPositional)
            words.insert(words.end(), option.choices.begin(), option.choices.end());
    return words;
}

/// "'view --pipeline'|'view -p'": the command and an option before the cursor.
std::string before(const Placed& at, const OptionText& option) {
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(quoted(at.path + " " + name));
    return fmt::format("{}", fmt::join(patterns, "|"));
}

/// "' view'|'simulate oct'": each command after the words that lead to it.
std::string steps(const std::vector<Placed>& places, const char* separator) {
    std::vector<std::string> all;
    for (const Placed& at : places)
        for (const CommandText& below : at.command->commands)
            all.push_back(quoted(at.path + " " + below.name));
    return fmt::format("{}", fmt::join(all, separator));
}

/// Cases of the shell for the options that take a value. `action` is what the shell does there;
/// empty where nothing is offered.
std::string valueCases(const std::vector<Placed>& places,
                       const std::function<std::string(const OptionText&)>& action) {
    std::vector<std::pair<std::string, std::string>> cases; // an action, and where it is done
    for (const Placed& at : places) {
        for (const OptionText& option : at.command->options) {
            if (!option.takesValue || option.isPositional) continue;
            const std::string done = action(option);
            const auto known = std::ranges::find(cases, done, &decltype(cases)::value_type::first);
            if (known == cases.end())
                cases.emplace_back(done, before(at, option));
            else
                known->second += '|' + before(at, option);
        }
    }
    std::string code;
    for (const auto& [done, where] : cases)
        code += fmt::format("    {}) {}return ;;\n", where, done.empty() ? "" : done + "; ");
    return code;
}

/// More is to be typed behind the word.
bool areBegun(const std::vector<std::string>& choices) {
    return !choices.empty() && choices.front().ends_with('=');
}

std::string forBash(const std::vector<Placed>& places) {
    std::string code = fmt::format(R"(# Completion of echolux in bash.
_echolux() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path='' options='' plain='' each
  COMPREPLY=()
  for each in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $each" in
      {}) path="${{path:+$path }}$each" ;;
    esac
  done
  case "$path $before" in
)",
                                   steps(places, "|"));
    code += valueCases(places, [](const OptionText& option) -> std::string {
        if (option.choices.empty()) return "";
        const bool begun = areBegun(option.choices);
        return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}'{} -- \"$word\"){}",
                           fmt::join(option.choices, " "),
                           option.takesOthers && !begun ? " -f" : "",
                           begun ? "; compopt -o nospace 2>/dev/null" : "");
    });
    code += "  esac\n  case \"$path\" in\n";
    for (const Placed& at : places)
        code += fmt::format("    {}) options='{}' plain='{}' ;;\n", quoted(at.path),
                            fmt::join(optionNames(*at.command), " "),
                            fmt::join(plainWords(*at.command), " "));
    return code + R"(  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$plain" -- "$word")
  fi
}
complete -o default -F _echolux echolux
)";
}

/// An entry of zsh's _describe: "word:description".
std::string described(const std::string& word, const std::string& help) {
    std::string text = brief(help);
    for (std::size_t at = 0; (at = text.find(':', at)) != std::string::npos; at += 2)
        text.insert(at, "\\");
    return quoted(word + ":" + text);
}

std::string forZsh(const std::vector<Placed>& places) {
    std::string code = fmt::format(R"(#compdef echolux
# Completion of echolux in zsh.
_echolux() {{
  local where='' each
  local -a options plain
  for each in "${{(@)words[2,CURRENT-1]}}"; do
    case "$where $each" in
      {}) where="${{where:+$where }}$each" ;;
    esac
  done
  case "$where ${{words[CURRENT-1]}}" in
)",
                                   steps(places, "|"));
    code += valueCases(places, [](const OptionText& option) -> std::string {
        if (option.choices.empty()) return "_files";
        const bool begun = areBegun(option.choices);
        return fmt::format("compadd {}-- {}{}", begun ? "-S '' " : "",
                           fmt::join(option.choices, " "),
                           option.takesOthers && !begun ? "; _files" : "");
    });
    code += "  esac\n  case \"$where\" in\n";
    for (const Placed& at : places) {
        code += fmt::format("    {})\n      options=(", quoted(at.path));
        for (const OptionText& option : at.command->options)
            for (const std::string& name : option.names)
                if (!option.isPositional) code += "\n        " + described(name, option.help);
        code += ")\n      plain=(";
        for (const CommandText& below : at.command->commands)
            code += "\n        " + described(below.name, below.help);
        for (const OptionText& option : at.command->options)
            for (const std::string& choice : option.choices)
                if (option.isPositional) code += "\n        " + quoted(choice);
        code += ") ;;\n";
    }
    return code + R"(  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
  else
    (( ${#plain} )) && _describe word plain
    _files
  fi
}
_echolux "$@"
)";
}

/// In single quotes of fish, where a backslash escapes.
std::string quotedForFish(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\'' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return "'" + escaped + "'";
}

std::string forFish(const std::vector<Placed>& places) {
    std::string code = fmt::format(R"(# Completion of echolux in fish.
function __echolux_at
  set -l where
  for each in (commandline -opc)[2..]
    switch "$where $each"
      case {}
        set where (string trim "$where $each")
    end
  end
  test "$where" = "$argv[1]"
end
)",
                                   steps(places, " "));
    for (const Placed& at : places) {
        const std::string here =
            fmt::format("complete -c echolux -n \"__echolux_at {}\"", quotedForFish(at.path));
        for (const CommandText& below : at.command->commands)
            code += fmt::format("{} -f -a {} -d {}\n", here, below.name,
                                quotedForFish(brief(below.help)));
        for (const OptionText& option : at.command->options) {
            std::string line = here;
            for (const std::string& name : option.names)
                if (!option.isPositional)
                    line +=
                        name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (option.isPositional && option.choices.empty()) continue;
            if (option.takesValue && !option.isPositional)
                line += option.takesOthers ? " -r" : " -x";
            if (!option.choices.empty())
                line += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
            code += line + " -d " + quotedForFish(brief(option.help)) + "\n";
        }
    }
    return code;
}

} // namespace

std::string completionOf(const CommandText& program, const std::string& shell) {
    const std::vector<Placed> places = placesOf(program);
    if (shell == "bash") return forBash(places);
    if (shell == "zsh") return forZsh(places);
    if (shell == "fish") return forFish(places);
    throw Error(fmt::format("Completions exist for bash, zsh and fish, not for '{}'.", shell));
}

} // namespace echolux
