// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/help_layout.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <utility>

namespace echolux {
namespace {

constexpr std::size_t kWide = 100;
constexpr std::size_t kDescriptions = 30; ///< column of CLI11

class Layout : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        return inHundredColumns(CLI::Formatter::make_help(app, std::move(name), mode));
    }
};

} // namespace

std::string inHundredColumns(const std::string& help) {
    std::istringstream lines(help);
    std::string all;
    for (std::string line; std::getline(lines, line);) {
        const bool isEntry = line.starts_with("  ");
        const std::string indent(isEntry ? kDescriptions : 0, ' ');
        while (line.size() > kWide) {
            const std::size_t end = line.rfind(' ', kWide);
            if (end == std::string::npos || end <= indent.size()) break;
            all += line.substr(0, end) + '\n';
            line = indent + line.substr(end + 1);
        }
        all += line + '\n';
    }
    return all;
}

std::shared_ptr<CLI::FormatterBase> helpLayout() { return std::make_shared<Layout>(); }

} // namespace echolux
