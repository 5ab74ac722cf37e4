// SPDX-License-Identifier: GPL-3.0-or-later
// A stage with a row of every type, and helpers to operate widgets like a user.
#pragma once

#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/theme/theme.hpp"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace echolux::testing_support {

enum class Shape { Hann, Tukey };

struct EveryRow {
    double edge = 2.5e6;
    double speed = 1540.0;
    double offset = 0.0;
    std::int64_t taps = 63;
    bool on = true;
    Shape shape = Shape::Hann;
    std::string file = "weights.npy";
    std::vector<double> gains{0.0, 2.0, 4.0};
    std::vector<double> coefficients;
    Mask transmits;
};

inline const StageType& everyRowStage() {
    static const StageType kType{
        .id = "every_row",
        .label = "Every row",
        .help = "A stage of the tests.",
        .table = ParamTable::of<EveryRow>()
                     .real(&EveryRow::edge, {.key = "edge",
                                             .label = "Low edge",
                                             .unit = "Hz",
                                             .min = 0.5e6,
                                             .max = 7.5e6,
                                             .step = 0.1e6,
                                             .help = "Where the pass band begins.",
                                             .displayUnit = "MHz",
                                             .displayFactor = 1e-6})
                     .real(&EveryRow::speed, {.key = "speed",
                                              .label = "Speed of sound",
                                              .unit = "m/s",
                                              .min = 1000,
                                              .max = 7000,
                                              .step = 1,
                                              .scale = ParamScale::Log})
                     .real(&EveryRow::offset, {.key = "offset",
                                               .label = "Time offset",
                                               .unit = "s",
                                               .min = -5e-6,
                                               .max = 5e-6,
                                               .step = 1e-8,
                                               .displayUnit = "us",
                                               .displayFactor = 1e6})
                     .integer(&EveryRow::taps, {.key = "taps",
                                                .label = "Taps",
                                                .min = 3,
                                                .max = 255,
                                                .step = 2,
                                                .oddOnly = true})
                     .flag(&EveryRow::on, {.key = "on", .label = "On"})
                     .choice(&EveryRow::shape, {{"hann", "Hann"}, {"tukey", "Tukey"}},
                             {.key = "shape", .label = "Window"})
                     .text(&EveryRow::file, {.key = "file", .label = "Weights file"})
                     .list(&EveryRow::gains, {.key = "gains",
                                              .label = "Gains",
                                              .unit = "dB",
                                              .min = -20,
                                              .max = 40,
                                              .step = 0.5,
                                              .listLabels = {"near", "middle", "far"}})
                     .list(&EveryRow::coefficients,
                           {.key = "coefficients", .label = "Coefficients", .min = -2, .max = 2})
                     .mask(&EveryRow::transmits, {.key = "transmits", .label = "Transmits"})
                     .build(),
        .inputs = {{}},
        .tolerance = {}};
    return kType;
}

inline const ParamRow& everyRow(const char* key) { return *everyRowStage().table.find(key); }

inline StageEntry everyRowEntry(const QString& instance) {
    QStringList names;
    for (int i = 0; i < 8; ++i) names << QString("%1 deg").arg(i - 4);
    return {.instance = instance,
            .type = &everyRowStage(),
            .values = Params(everyRowStage().table),
            .defaults = Params(everyRowStage().table),
            .items = {{"transmits", names}}};
}

/// A shown panel of one stage, "first", of two where asked for.
struct ShownPanel {
    explicit ShownPanel(bool two = false) {
        std::vector<StageEntry> entries{everyRowEntry("first")};
        if (two) entries.push_back(everyRowEntry("second"));
        panel.setStages(entries);
        panel.resize(400, 900);
        panel.show();
        if (!QTest::qWaitForWindowExposed(&panel)) qFatal("no window");
        panel.activateWindow();
    }
    ParamRowWidget& row(const QString& key, const QString& instance = "first") {
        return *panel.group(instance)->row(key);
    }
    template <class Editor> Editor& editor(const QString& key) {
        return *qobject_cast<Editor*>(row(key).editor());
    }
    /// Widgets need the application, fonts the theme.
    static QWidget* noParent() {
        application();
        Theme::instance().apply(ThemeKind::Dark);
        return nullptr;
    }
    ParameterPanel panel{noParent()};
};

/// The value that the spy's last signal carries as its third argument.
inline ParamValue lastValue(const QSignalSpy& spy) { return spy.last().at(2).value<ParamValue>(); }

inline void typeInto(QWidget& field, const QString& text) {
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
}

inline void turnWheel(QWidget& widget, int notches, Qt::KeyboardModifiers keys = {}) {
    const QPointF centre = QRectF(widget.rect()).center();
    QWheelEvent event(centre, widget.mapToGlobal(centre), {}, {0, 120 * notches}, Qt::NoButton,
                      keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

} // namespace echolux::testing_support
