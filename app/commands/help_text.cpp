// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the Markdown of the help pages into plain lines.
#include "app/commands/help_text.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace echolux {

namespace {

/// Removes the marks of emphasis. Code keeps its quotes, which show where it begins and ends.
std::string plain(std::string_view text) {
    std::string result(text);
    for (std::size_t at = result.find("**"); at != std::string::npos; at = result.find("**", at))
        result.erase(at, 2);
    return result;
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

class Page {
public:
    explicit Page(std::size_t width) : m_width(width) {}

    void line(const std::string& line) {
        if (line.starts_with("```")) {
            endParagraph();
            m_code = !m_code;
        } else if (m_code) {
            m_out += "    " + line + "\n";
        } else if (line.starts_with("|")) {
            endParagraph();
            row(line);
            return;
        } else if (line.empty()) {
            endParagraph();
            if (!m_out.ends_with("\n\n")) m_out += "\n";
        } else if (m_paragraph.empty() && line.starts_with("    ")) {
            m_out += line + "\n"; // an indented block of code
        } else if (line.starts_with("#")) {
            endParagraph();
            m_out += trimmed(line.substr(line.find_first_not_of('#'))) + "\n";
        } else {
            if (line.starts_with("- ")) endParagraph();
            m_paragraph += (m_paragraph.empty() ? "" : " ") + line;
        }
        m_rows = 0;
    }

    std::string end() {
        endParagraph();
        return std::move(m_out);
    }

private:
    void endParagraph() {
        if (m_paragraph.empty()) return;
        wrap(plain(m_paragraph), 0, m_paragraph.starts_with("- ") ? 2 : 0);
        m_paragraph.clear();
    }

    /// The first two rows are the heading and the line below it.
    void row(const std::string& line) {
        if (++m_rows <= 2) return;
        const auto end = line.find(" | ");
        const std::string first = line.substr(1, end - 1);
        wrap(plain(trimmed(first)), 2, 2);
        if (end == std::string::npos) return;
        std::string rest = line.substr(end + 3);
        if (rest.ends_with("|")) rest.pop_back();
        wrap(plain(trimmed(rest)), 6, 6);
    }

    void wrap(const std::string& text, std::size_t firstIndent, std::size_t indent) {
        std::istringstream words(text);
        std::string line(firstIndent, ' ');
        bool empty = true;
        for (std::string word; words >> word;) {
            if (!empty && line.size() + 1 + word.size() > m_width) {
                m_out += line + "\n";
                line.assign(indent, ' ');
                empty = true;
            }
            line += (empty ? "" : " ") + word;
            empty = false;
        }
        m_out += line + "\n";
    }

    std::size_t m_width;
    std::string m_out;
    std::string m_paragraph;
    bool m_code = false;
    int m_rows = 0; ///< rows of the current table
};

} // namespace

std::string forTerminal(std::string_view markdown, std::size_t width) {
    Page page(width);
    std::istringstream lines{std::string(markdown)};
    for (std::string line; std::getline(lines, line);) page.line(line);
    return page.end();
}

} // namespace echolux
