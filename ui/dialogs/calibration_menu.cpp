// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the calibration menu.
#include "ui/dialogs/calibration_menu.hpp"

#include "ui/controls/action_text.hpp"

#include <algorithm>

namespace echolux {

CalibrationMenu::CalibrationMenu(QWidget* parent) : QMenu("&Calibration", parent) {
    const auto add = [this](const QString& text, const char* key, const char* help, auto signal) {
        QList<QKeySequence> keys;
        if (*key != '\0') keys << QKeySequence(key);
        QAction* action = makeAction(this, text, "", keys, help);
        addAction(action);
        connect(action, &QAction::triggered, this, signal);
        return action;
    };
    add("&Load calibration\u2026", "",
        "Use resampling curve, dispersion and background from a file",
        &CalibrationMenu::loadRequested);
    add("&Save calibration\u2026", "", "Save the calibration that is in use to a file",
        &CalibrationMenu::saveRequested);
    addSeparator();
    add("Capture &background", "Ctrl+B", "Use the mean of the shown frame's lines as background",
        [this] { emit captureRequested(1); });
    m_captureSeveral = add("Capture background of &frames", "",
                           "Use the mean over frames from all parts of the recording as background",
                           [this] { emit captureRequested(kCapturedFrames); });
    add("Find &dispersion\u2026", "Ctrl+D", "Find the dispersion terms that make a region sharpest",
        &CalibrationMenu::dispersionRequested);
    add("&k from mirror recordings\u2026", "",
        "Estimate the resampling curve from the fringe of a mirror",
        &CalibrationMenu::mirrorsRequested);
    setToolTipsVisible(true);
    setAvailable(false);
}

void CalibrationMenu::setAvailable(bool available) {
    menuAction()->setVisible(available);
    for (QAction* action : actions()) action->setEnabled(available);
}

void CalibrationMenu::setFrames(qint64 frames) {
    m_captureSeveral->setVisible(frames > 1);
    m_captureSeveral->setText(
        QString("Capture background of %1 &frames").arg(std::min<qint64>(frames, kCapturedFrames)));
}

} // namespace echolux
