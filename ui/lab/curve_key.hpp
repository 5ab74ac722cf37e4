// SPDX-License-Identifier: GPL-3.0-or-later
// One entry of a legend: a piece of the curve, and its name. Checked: the curve is shown.
#pragma once

#include "ui/lab/filter_lab.hpp"

#include <QAbstractButton>

namespace echolux {

class CurveKey : public QAbstractButton {
    Q_OBJECT
public:
    explicit CurveKey(const LabCurve& curve, QWidget* parent = nullptr);
    const QString& id() const { return m_curve.id; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont nameFont() const;

    LabCurve m_curve;
};

} // namespace echolux
