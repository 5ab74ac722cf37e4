// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Transmits": a small image of each transmit, or the reason why there are none.
#pragma once

#include "ui/controls/seen_widget.hpp"
#include "ui/lab/thumbnail_grid.hpp"

class QLabel;
class QPushButton;
class QStackedLayout;

namespace echolux {

class ElidedLabel;

class TransmitThumbnails : public SeenWidget {
    Q_OBJECT
public:
    explicit TransmitThumbnails(QWidget* parent = nullptr);
    ThumbnailGrid& grid() { return *m_grid; }
    /// Shows a reason instead of images; empty: the images. `remedy`: text of a button that removes
    /// the cause; empty: no button.
    void setReason(const QString& sentence, const QString& remedy = {});
    QString reason() const; ///< empty while images are shown
    /// Shows below the images why they are not updated; empty: they are.
    void setProblem(const QString& sentence);
    void setStates(std::vector<bool> states);
    void setRange(double db); ///< range in dB below the brightest pixel; lower values are black
    QString summary() const;  ///< "2 / 3 on   0 dB: brightest pixel, ..."

signals:
    void remedyChosen(); ///< the button of setReason() was clicked

private:
    void tell();

    ElidedLabel* m_summary;
    QLabel* m_reason;
    QPushButton* m_remedy;
    QLabel* m_problem;
    ThumbnailGrid* m_grid;
    QStackedLayout* m_stack;
    double m_rangeDb = 60.0;
};

} // namespace echolux
