// SPDX-License-Identifier: GPL-3.0-or-later
// Writes manual pages: one on the program and one on each command, with the commands below it.
#include "app/commands/written_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <string>
#include <vector>

namespace echolux {

namespace {

/// Text as troff prints it unchanged.
std::string troff(const std::string& text) {
    std::string out;
    bool isFirst = true;
    for (const char c : text) {
        if (isFirst && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        isFirst = c == '\n';
    }
    return out;
}

std::string bold(const std::string& text) { return "\\fB" + troff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + troff(text) + "\\fR"; }

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string valueOf(const OptionText& option) {
    const std::string choices =
        option.takesOthers ? "" : fmt::format("{}", fmt::join(option.choices, "|"));
    return italic(choices.empty() ? "VALUE" : choices);
}

std::string synopsis(const std::string& name, const CommandText& command) {
    std::string line = bold(name);
    bool hasOptions = false;
    for (const OptionText& option : command.options) hasOptions |= !option.isPositional;
    if (hasOptions) line += " [" + italic("OPTIONS") + "]";
    if (!command.commands.empty()) line += " " + italic("COMMAND");
    for (const OptionText& option : command.options) {
        if (!option.isPositional) continue;
        const std::string word = italic(option.names.front()) + (option.isRepeatable ? "..." : "");
        line += option.isRequired ? " " + word : " [" + word + "]";
    }
    return line + "\n";
}

std::string optionEntry(const OptionText& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.names)
        names.push_back(option.isPositional ? italic(name) : bold(name));
    std::string entry = fmt::format(".TP\n{}", fmt::join(names, ", "));
    if (option.takesValue && !option.isPositional) entry += " " + valueOf(option);
    entry += "\n" + troff(option.help);
    if (option.isRequired && !option.isPositional) entry += " (required)";
    if (!option.fallback.empty()) entry += troff(" (default: " + option.fallback + ")");
    return entry + "\n";
}

std::string options(const CommandText& command) {
    std::string text;
    for (const OptionText& option : command.options)
        if (option.isPositional) text += optionEntry(option);
    for (const OptionText& option : command.options)
        if (!option.isPositional) text += optionEntry(option);
    return text;
}

/// The commands below `command`, each as a subsection with its options.
std::string sections(const std::string& name, const CommandText& command) {
    std::string text;
    for (const CommandText& below : command.commands) {
        const std::string full = name + " " + below.name;
        text += ".SS " + troff(full) + "\n" + synopsis(full, below) + ".PP\n" + troff(below.help) +
                "\n" + options(below) + sections(full, below);
    }
    return text;
}

std::string heading(const std::string& page, const std::string& version, const std::string& what) {
    return fmt::format(".TH {} 1 \"\" \"Echolux {}\" \"User Commands\"\n"
                       ".SH NAME\n{} \\- {}\n",
                       upper(troff(page)), version, troff(page), troff(what));
}

std::string ending(const CommandText& command, const std::string& others) {
    std::string text;
    if (!command.footer.empty()) text += ".SH NOTES\n" + troff(command.footer) + "\n";
    return text + ".SH SEE ALSO\n" + others + "\n";
}

} // namespace

std::vector<ManualPage> manualOf(const CommandText& program, const std::string& version) {
    std::vector<ManualPage> pages;
    std::string list;
    std::vector<std::string> names;
    for (const CommandText& command : program.commands) {
        const std::string page = program.name + "-" + command.name;
        const std::string full = program.name + " " + command.name;
        std::string text = heading(page, version, command.help) + ".SH SYNOPSIS\n" +
                           synopsis(full, command) + ".SH OPTIONS\n" + options(command);
        if (!command.commands.empty()) text += ".SH COMMANDS\n" + sections(full, command);
        pages.push_back({page, text + ending(command, bold(program.name) + "(1)")});
        list += ".TP\n" + bold(page) + "(1)\n" + troff(command.help) + "\n";
        names.push_back(bold(page) + "(1)");
    }
    const std::string what = program.help.substr(program.help.find(": ") + 2);
    pages.push_back(
        {program.name, heading(program.name, version, what.substr(0, what.find(". "))) +
                           ".SH SYNOPSIS\n" + synopsis(program.name, program) +
                           ".SH DESCRIPTION\n" + troff(program.help) + "\n.SH OPTIONS\n" +
                           options(program) + ".SH COMMANDS\n" + list +
                           ending(program, fmt::format("{}", fmt::join(names, ",\n")))});
    return pages;
}

} // namespace echolux
