// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the dock "Beam shape": of the patterns across the pixel, and of four foci.
#pragma once

#include "ui/lab/beam_shape.hpp"

#include <QWidget>

#include <array>

class QLabel;

namespace echolux {

class ValueSlider;

/// Widths and side lobes of transmit, receive and two-way: computed and, if wanted, measured.
class BeamTable : public QWidget {
    Q_OBJECT
public:
    explicit BeamTable(QWidget* parent = nullptr);
    void setCurves(const BeamShapeCurves& curves);
    void setMeasured(const MeasuredCurves& curves);
    void setMeasuredShown(bool shown);
    /// "0.52 mm", "-13.3 dB", or a dash. `curve`: index as in BeamShapeCurves.
    QString widthText(int curve, bool measured = false) const;
    QString sideLobeText(int curve, bool measured = false) const;

private:
    struct Cells {
        QLabel* name = nullptr;
        QLabel* width = nullptr;
        QLabel* sideLobe = nullptr;
    };
    void fill(const BeamShapeCurves::Curve& curve, const Cells& cells) const;

    QString m_unit;
    std::array<Cells, 3> m_computed;
    std::array<Cells, 3> m_measured;
};

/// Four focal depths as sliders, with the widths of their beams and the zone in focus.
class FociTable : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kFoci = 4;

    explicit FociTable(QWidget* parent = nullptr);
    /// Sets the focal depths and their span, in mm.
    void setFoci(const std::array<double, kFoci>& mm, double fromMm, double toMm);
    std::array<double, kFoci> fociMm() const;
    void setFigures(const std::array<FocusFigures, kFoci>& figures);
    /// "0.61 mm" or a dash; at the focus, at the pixel; "13.6 - 37.2 mm".
    QString text(std::size_t focus, int column) const;
    ValueSlider& slider(std::size_t focus) { return *m_sliders[focus]; }

signals:
    void fociChanged();

private:
    std::array<ValueSlider*, kFoci> m_sliders;
    std::array<std::array<QLabel*, 3>, kFoci> m_cells;
};

} // namespace echolux
