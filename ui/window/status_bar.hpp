// SPDX-License-Identifier: GPL-3.0-or-later
// The line at the bottom: open recording, "computing", progress of a volume, backend, display path,
// lost frames.
#pragma once

#include <QStatusBar>

class QLabel;

namespace echolux {

class ElidedLabel;

class StatusBar : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusBar(QWidget* parent = nullptr);
    /// "phantom.h5   plane wave 1 x 128 el   5.0 MHz"; the tooltip may show the whole path.
    void setSource(const QString& text, const QString& toolTip = {});
    /// "computing": the image on screen is older than the latest edit. Its space stays reserved, so
    /// that nothing moves.
    void setComputing(bool on);
    bool isComputing() const;
    /// "volume 120 / 256": number of B-scans of the shown volume that are up to date. Hidden where
    /// `of` is 0.
    void setVolumeProgress(qint64 bscans, qint64 of);
    QString volumeProgressText() const;
    /// "CUDA: NVIDIA H200" or "CPU: 16 threads"; `reason`: why this backend.
    void setBackend(const QString& text, const QString& reason = {});
    /// "interop, 0 copies to host" or "upload"; `reason`: why. `direct`: no pixel passes through
    /// the host.
    void setDisplayPath(const QString& text, const QString& reason, bool direct);
    /// Of a live source. `lost`: nobody has them. `leftOut`: the pipeline was busy.
    void setMissingFrames(qint64 lost, qint64 leftOut);
    /// "recording 12.3 s, 45 MB"; hidden where empty.
    void setRecording(const QString& text, bool loses);
    QString lostText() const;

signals:
    void messagesRequested();

private:
    ElidedLabel* m_source;
    QLabel* m_computing;
    QLabel* m_volume;
    QLabel* m_backend;
    QLabel* m_path;
    QLabel* m_lost;
    QLabel* m_recording;
};

} // namespace echolux
