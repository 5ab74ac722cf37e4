// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of what calibrates a spectrometer; it shows where the recording holds spectra.
#pragma once

#include <QMenu>

namespace echolux {

class CalibrationMenu : public QMenu {
    Q_OBJECT
public:
    /// Frames that the longer capture of a background averages, where there are so many.
    static constexpr int kCapturedFrames = 32;

    explicit CalibrationMenu(QWidget* parent = nullptr);
    void setAvailable(bool available); ///< the menu's place in the menu bar
    void setFrames(qint64 frames);     ///< of the recording

signals:
    void loadRequested();
    void saveRequested();
    void captureRequested(int frames);
    void dispersionRequested();
    void mirrorsRequested();

private:
    QAction* m_captureSeveral;
};

} // namespace echolux
