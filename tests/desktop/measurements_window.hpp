// SPDX-License-Identifier: GPL-3.0-or-later
// A window with the dock "Measurements".
#pragma once

#include "app/desktop/statistics_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/tools/measurements/panel.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/overlay/drawing_overlay.hpp"
#include "ui/views/view_area.hpp"

#include <QDockWidget>
#include <QPushButton>
#include <QTreeWidget>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace echolux::testing_support {

struct MeasurementsWindow : OpenWindow {
    explicit MeasurementsWindow(const std::string& path = kCine.toStdString(),
                                const char* pipeline = nullptr)
        : OpenWindow(requestOf(linkTo(path), pipeline)) {}
    /// Measurements are written beside the recording: not among those that tests share.
    static std::string linkTo(const std::string& path) {
        if (!path.starts_with(ECHOLUX_SOURCE_DIR "/testdata")) return path;
        static const test::TemporaryFolder folder;
        static int links = 0;
        const auto link = folder / (std::to_string(++links) + ".echolux.h5");
        std::filesystem::create_symlink(path, link);
        return link.string();
    }
    explicit MeasurementsWindow(const OpenRequest& request) : OpenWindow(request) {}
    static OpenRequest requestOf(const std::string& path, const char* pipeline) {
        OpenRequest request{path};
        if (pipeline != nullptr) request.pipeline = shippedPipeline(pipeline);
        return request;
    }
    MeasurementsPanel& panel() { return desktop.panel<MeasurementsPanel>(); }
    QDockWidget& dock() { return *desktop.window().findChild<QDockWidget*>("measurements"); }
    bool opens() {
        if (!freezes()) return false;
        dock().toggleViewAction()->trigger();
        return comesTrue([&] { return panel().isSeen(); });
    }
    void press(const char* name) {
        for (QPushButton* button : panel().findChildren<QPushButton*>())
            if (button->text() == name) return QTest::mouseClick(button, Qt::LeftButton);
        ADD_FAILURE() << "no button " << name;
    }
    void click(double lateral, double depth) {
        ImageView& view = desktop.view();
        const Vec2 at = view.view().toPixel({lateral, depth});
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPointF(at.x, at.y).toPoint());
    }
    /// Takes a tool and clicks the places, which are in view units.
    void draw(const char* tool, const std::vector<Vec2>& places, ImageView* on = nullptr) {
        ImageView& view = on != nullptr ? *on : desktop.view();
        press(tool);
        for (Overlay* each : std::vector(view.overlays())) {
            auto* drawing = dynamic_cast<DrawingOverlay*>(each);
            if (drawing == nullptr) continue;
            const OverlayPlace place{view.view(), view.picture(), view.font()};
            for (const Vec2& at : places) {
                drawing->press(place, view.view().toPixel(at));
                drawing->release(place, view.view().toPixel(at));
            }
        }
    }
    void draws(Vec2 corner, Vec2 opposite) {
        desktop.views().region().set(Region::rectangleOf(corner, opposite));
    }
    /// Measures until the list says something else than before, or `wanted` holds.
    template <class Wanted> bool measures(const Wanted& wanted) {
        return comesTrue([&] {
            desktop.statistics().measure();
            return wanted();
        });
    }
    /// The value of a figure, or nothing.
    QString figure(const QString& name, const QString& label) {
        QTreeWidget& list = panel().list();
        for (int row = 0; row < list.topLevelItemCount(); ++row) {
            const QTreeWidgetItem* item = list.topLevelItem(row);
            if (item->text(0) != name) continue;
            for (int line = 0; line < item->childCount(); ++line)
                if (item->child(line)->text(0) == label) return item->child(line)->text(1);
        }
        return {};
    }
    bool hasFigure(const QString& name, const QString& label) {
        return measures([&] { return !figure(name, label).isEmpty(); });
    }
};

} // namespace echolux::testing_support
