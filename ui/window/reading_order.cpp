// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts visible widgets by their position.
#include "ui/window/reading_order.hpp"

#include <QAbstractScrollArea>
#include <QMainWindow>
#include <QRect>
#include <QSplitter>
#include <QWidget>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using Widgets = std::vector<QWidget*>;

QRect placeIn(const QWidget& window, const QWidget& widget) {
    return {widget.mapTo(&window, QPoint()), widget.size()};
}

/// Rows from top to bottom. Widgets that overlap in height form one row. A row is read from left to
/// right, then from top to bottom.
Widgets asRead(const QWidget& window, Widgets widgets) {
    const auto place = [&](const QWidget* each) { return placeIn(window, *each); };
    std::ranges::stable_sort(widgets, {}, [&](const QWidget* each) { return place(each).top(); });
    for (auto row = widgets.begin(); row != widgets.end();) {
        auto end = row;
        for (int bottom = place(*row).bottom(); end != widgets.end() && place(*end).top() <= bottom;
             ++end)
            bottom = std::max(bottom, place(*end).bottom());
        std::stable_sort(row, end, [&](const QWidget* a, const QWidget* b) {
            const auto key = [&](const QWidget* each) {
                const QRect at = place(each);
                return std::tuple(at.left(), at.top(), -at.height()); // a frame before its content
            };
            return key(a) < key(b);
        });
        row = end;
    }
    return widgets;
}

/// Frames are parts of the window or of splitters, and scroll areas. Their content is read
/// together, wherever it is scrolled to.
bool isFrame(const QWidget& window, const QWidget& widget) {
    return widget.parentWidget() == &window ||
           qobject_cast<const QSplitter*>(widget.parentWidget()) != nullptr ||
           qobject_cast<const QAbstractScrollArea*>(&widget) != nullptr;
}

/// The outermost frame within `around` that contains the widget, or the widget itself.
QWidget* frameOf(const QWidget& window, const QWidget& around, QWidget* widget) {
    QWidget* frame = widget;
    for (QWidget* at = widget; at != &around; at = at->parentWidget())
        if (isFrame(window, *at)) frame = at;
    return frame;
}

Widgets inOrder(const QWidget& window, const QWidget& around, const Widgets& widgets) {
    Widgets frames;
    for (QWidget* each : widgets) {
        QWidget* frame = frameOf(window, around, each);
        if (std::ranges::find(frames, frame) == frames.end()) frames.push_back(frame);
    }
    Widgets read;
    for (QWidget* frame : asRead(window, std::move(frames))) {
        Widgets within;
        for (QWidget* each : widgets) {
            if (each == frame)
                read.push_back(each);
            else if (frameOf(window, around, each) == frame)
                within.push_back(each);
        }
        if (within.empty()) continue;
        const Widgets ordered = inOrder(window, *frame, within);
        read.insert(read.end(), ordered.begin(), ordered.end());
    }
    return read;
}

bool takesTab(const QMainWindow& window, QWidget& widget) {
    const bool takes = (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus &&
                       widget.focusProxy() == nullptr && widget.isEnabled() && widget.isVisible() &&
                       widget.window() == &window;
    // NOTE: docks behind other tabs count as visible, but lie outside the window.
    return takes && window.rect().intersects(placeIn(window, *frameOf(window, window, &widget)));
}

} // namespace

QWidget* besideInReadingOrder(const QMainWindow& window, const QWidget* from, bool next) {
    Widgets all;
    for (QWidget* each : window.findChildren<QWidget*>())
        if (each == from || takesTab(window, *each)) all.push_back(each);
    const Widgets read = inOrder(window, window, all);
    const auto count = static_cast<std::ptrdiff_t>(read.size());
    const auto at = std::ranges::find(read, from) - read.begin();
    if (count == 0 || (count == 1 && at == 0)) return nullptr;
    std::ptrdiff_t to = 0;
    if (at == count)
        to = next ? 0 : count - 1; // nothing has the focus
    else
        to = (at + (next ? 1 : count - 1)) % count;
    return read[static_cast<std::size_t>(to)];
}

} // namespace echolux
