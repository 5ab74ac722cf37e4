// SPDX-License-Identifier: GPL-3.0-or-later
// Long work in progress: its name, a busy bar and Cancel, over the bottom of the image, so that
// nothing moves. Short work is not shown.
#pragma once

#include <QTimer>
#include <QWidget>

class QProgressBar;
class QPushButton;

namespace echolux {

class ElidedLabel;

class ProgressStrip : public QWidget {
    Q_OBJECT
public:
    /// Lies over the bottom edge of `host` and follows its width.
    explicit ProgressStrip(QWidget* host);
    /// Appears after the delay, or at once where it is already visible.
    void begin(const QString& text);
    /// Share of the work, 0 to 1; negative: unknown.
    void setDone(double share);
    void end();
    bool isBusy() const { return m_busy; }
    QString text() const;
    QPushButton* cancelButton() const { return m_cancel; }
    void setDelay(int milliseconds) { m_delay.setInterval(milliseconds); }

signals:
    void cancelled();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void present();
    void place();

    ElidedLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QTimer m_delay{this};
    bool m_busy = false;
};

} // namespace echolux
