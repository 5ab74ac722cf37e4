// SPDX-License-Identifier: GPL-3.0-or-later
// echolux report: a page with pictures, figures and settings.
#include "app/command_line/version.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "app/commands/paper_sides.hpp"
#include "app/export/file_sha256.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

namespace echolux {
namespace {

struct ReportCommand {
    PaperOptions paper;
    std::string title;
    std::string csv;
};

void writeReport(const ReportCommand& options) {
    const std::filesystem::path out = options.paper.output.path;
    const std::string ending = out.extension().string();
    if (ending != ".html" && ending != ".pdf")
        throw Error(
            fmt::format("'{}' names no kind of report; end it in .html or .pdf.", out.string()));
    options.paper.refuseOutput(out);
    if (!options.csv.empty()) options.paper.refuseOutput(options.csv);
    Report report;
    report.style = options.paper.checkedStyle();
    report.sides = sidesOf(options.paper);
    std::map<std::filesystem::path, std::string> hashes; // a recording may stand on several sides
    for (ReportSide& side : report.sides) {
        std::string& hash = hashes[side.recording];
        if (hash.empty())
            hash = fileSha256(QString::fromStdString(side.recording.string())).toStdString();
        side.hash = hash;
    }
    report.title = !options.title.empty() ? options.title : report.sides.front().heading;
    report.date = dateNow();
    report.program = versionText();
    const auto fonts = offscreenFonts();
    writeWhole(out.string(),
               ending == ".html" ? reportHtml(report) : reportPdf(report).toStdString());
    if (!options.csv.empty()) writeWhole(options.csv, reportCsv(report));
}

} // namespace

void addReport(CLI::App& app) {
    auto options = std::make_shared<ReportCommand>();
    options->paper.style.widthMm = 170.0;
    options->paper.style.dpi = 200.0;
    CLI::App* command = app.add_subcommand(
        "report", "Write a page with pictures, figures, settings and the recording's hash");
    command->footer("Of two recordings or pipelines (--beside, --and-pipeline) the difference of "
                    "each figure is shown.");
    options->paper.addTo(*command, "OUT.html, which needs no other file, or OUT.pdf");
    command->add_option("--title", options->title, "Title; default: recording and pipeline");
    command->add_option("--csv", options->csv, "Also write the figures to this file");
    command->callback([options] { writeReport(*options); });
}

} // namespace echolux
