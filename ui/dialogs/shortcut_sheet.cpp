// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the sheet of shortcuts.
#include "ui/dialogs/shortcut_sheet.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace echolux {
namespace {

QWidget* column(const QString& title, const std::vector<ShortcutLine>& lines, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    QLabel* head = makeLabel(title, LabelRole::Normal, box);
    QFont bold = baseFont();
    bold.setWeight(QFont::DemiBold);
    head->setFont(bold);
    head->setContentsMargins(0, 0, 0, kGrid / 2);
    grid->addWidget(head, 0, 0, 1, 2);
    for (const auto& [keys, what] : lines) {
        const int row = grid->rowCount();
        grid->addWidget(makeLabel(keys, LabelRole::Normal, box), row, 0, Qt::AlignTop);
        QLabel* help = makeLabel(what, LabelRole::Secondary, box);
        help->setWordWrap(true);
        grid->addWidget(help, row, 1);
    }
    grid->setRowStretch(grid->rowCount(), 1);
    grid->setColumnStretch(1, 1);
    return box;
}

} // namespace

ShortcutLine shortcutLine(const QAction& action) { return {keysText(action), action.whatsThis()}; }

ShortcutSheet::ShortcutSheet(const std::vector<ShortcutSection>& sections, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle("Shortcuts and mouse");
    auto* sheet = new QWidget;
    sheet->setObjectName("panel");
    auto* columns = new QHBoxLayout(sheet);
    columns->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    columns->setSpacing(4 * kGrid);
    struct Column {
        QVBoxLayout* layout;
        std::size_t lines = 0;
    };
    std::array<Column, 3> places{};
    for (Column& place : places) {
        place.layout = new QVBoxLayout;
        place.layout->setSpacing(3 * kGrid);
        columns->addLayout(place.layout, 1);
    }
    const auto add = [&](const QString& title, const std::vector<ShortcutLine>& lines) {
        Column& place = *std::ranges::min_element(places, {}, &Column::lines);
        place.layout->addWidget(column(title, lines, sheet));
        constexpr std::size_t kHead = 3; // lines for the title and the gap
        place.lines += lines.size() + kHead;
    };
    for (const ShortcutSection& section : sections) add(section.title, section.lines);
    add("Mouse on an image", {{"Wheel", "Zoom at the cursor"},
                              {"Drag", "Move the image, once zoomed"},
                              {"Click", "Pick a column; move the crosshair"},
                              {"Esc", "Forget the picked column; put a tool away"},
                              {"Drag a line", "Move crosshair, depth window or region"},
                              {"Double click", "Show all of it"},
                              {"\u2026 on a title", "This view alone, and back"},
                              {"Colour bar", "Drag an end; double click: back"},
                              {"Right click, Menu", "Copy, save, scale bar, region"}});
    add("Mouse on a volume", {{"Drag", "Turn"},
                              {"Wheel", "Zoom"},
                              {"Double click", "Back to the standard look"},
                              {"Right click, Menu", "Copy, save"}});
    add("Mouse on a plot", {{"Move", "Values at the cursor"},
                            {"Wheel", "Zoom at the cursor"},
                            {"Drag", "Move"},
                            {"Double click", "Show all of it"},
                            {"Right click, Menu", "Copy, save as CSV, PNG, SVG"}});
    add("Mouse on the bar of frames", {{"Click, drag", "Go to a frame"},
                                       {"Drag a tab below", "Play a part of the recording"},
                                       {"Double click a tab", "Play all of it"}});
    add("Sliders and numbers", {{"Wheel, Up, Down", "One step, once clicked"},
                                {"Ctrl + these", "A tenth of a step"},
                                {"Ctrl + drag", "Move ten times finer"},
                                {"Double click", "Default value"},
                                {"Return", "Take the typed number; press a button"},
                                {"Esc", "Forget what was typed"}});
    for (const Column& place : places) place.layout->addStretch(1);

    auto* area = new QScrollArea(this);
    area->setWidget(sheet);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    constexpr int kWide = 150 * kGrid;
    constexpr double kOfWindow = 0.96;
    const QSize most =
        parent == nullptr ? QSize(kWide, kWide) : parent->window()->size() * kOfWindow;
    const int wide = std::min(kWide, most.width());
    resize(wide, std::min(most.height(), sheet->heightForWidth(wide) + 2));
}

} // namespace echolux
