// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of calibrations of a spectrometer. It is visible only for recordings of spectra.
#pragma once

#include <QMenu>

namespace echolux {

class CalibrationMenu : public QMenu {
    Q_OBJECT
public:
    /// Number of frames that the longer background capture averages, where the recording has that
    /// many.
    static constexpr int kCapturedFrames = 32;

    explicit CalibrationMenu(QWidget* parent = nullptr);
    void setAvailable(bool available); ///< shows or hides the menu in the menu bar
    void setFrames(qint64 frames);     ///< number of frames of the recording

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
