// SPDX-License-Identifier: GPL-3.0-or-later
// echolux figure: a figure for a paper.
#include "app/commands/commands.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "app/commands/paper_sides.hpp"
#include "app/paper/figure_file.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace echolux {
namespace {

void writeFigure(const PaperOptions& options) {
    const std::filesystem::path out = options.output.path;
    options.refuseOutput(out);
    const FigureStyle style = options.checkedStyle();
    std::string ending = out.extension().string();
    if (!ending.empty()) ending.erase(0, 1);
    requireFigureEnding(ending);
    std::vector<FigurePanel> panels;
    for (ReportSide& side : sidesOf(options)) panels.push_back(std::move(side.panel));
    const auto fonts = offscreenFonts();
    const QByteArray content = figureFile(ending, panels, style);
    writeWhole(out.string(), content.toStdString());
}

} // namespace

void addFigure(CLI::App& app) {
    auto options = std::make_shared<PaperOptions>();
    CLI::App* command = app.add_subcommand(
        "figure", "Write a figure for a paper: images with axes, as PDF, SVG, PNG or TIFF");
    command->footer("Shapes of the measurements are drawn over the images ('echolux help "
                    "measure').\nFor pictures without axes: 'echolux render'. For a page with "
                    "settings and figures: 'echolux report'.");
    options->addTo(*command, "OUT.pdf, OUT.svg, OUT.png or OUT.tif");
    command->callback([options] { writeFigure(*options); });
}

} // namespace echolux
