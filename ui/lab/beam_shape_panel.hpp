// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape": beam patterns across one pixel, maps of beams over depth, and interfering
// waves.
#pragma once

#include "ui/lab/beam_shape.hpp"
#include "ui/lab/beam_tables.hpp"
#include "ui/lab/lab_picture.hpp"

#include <QWidget>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QToolButton;

namespace echolux {

class LabPicturePlot;
class BeamShapePlot;
class ValueSlider;

class BeamShapePanel : public QWidget {
    Q_OBJECT
public:
    /// What the user has set for the picture in sight. Lengths in mm.
    struct Settings {
        BeamMode mode = BeamMode::Across;
        bool measure = false;     ///< with what the beamformer itself computes, where it can
        double bandwidth = 0.6;   ///< of the measuring pulse, as a fraction of its frequency
        bool recorded = true;     ///< two-way map: the recorded transmits; false: one focus
        double apertureMm = 10.0; ///< that sends
        std::array<double, FociTable::kFoci> fociMm{}; ///< the first one where only one is needed
        bool eachDepth = true;                         ///< maps: 0 dB is the maximum of each depth
        std::size_t elements = 8;                      ///< waves: how many send
        bool delayed = true;                           ///< waves: they meet in the focus
        bool amplitude = false; ///< waves: their amplitude instead of the pressure
        double phaseRad = 0.0;  ///< waves: of the period
        /// Two maps are shown: the closed form, and the beamformer's own.
        bool measuresMap() const {
            return measure &&
                   (mode == BeamMode::ReceiveMap || (mode == BeamMode::TwoWayMap && recorded));
        }
        bool operator==(const Settings&) const = default;
    };
    /// What suits the recording: spans and defaults of the sliders. Lengths in mm.
    struct Limits {
        double bandwidth = 0.6;
        double apertureMm = 10.0;
        double mostApertureMm = 40.0;
        std::array<double, FociTable::kFoci> fociMm{10.0, 20.0, 30.0, 40.0};
        double deepestMm = 50.0;
        int elements = 64;
        bool operator==(const Limits&) const = default;
    };

    explicit BeamShapePanel(QWidget* parent = nullptr);
    Settings settings() const;
    void setLimits(const Limits& limits); ///< resets the sliders where the limits are others
    void setMode(BeamMode mode);          ///< as the user does

    void setCurves(const BeamShapeCurves& curves);
    void setMeasured(const MeasuredCurves& curves);
    /// One picture, two where a map is measured, four for the four foci. Empty: the hint.
    void setPictures(const std::vector<LabPicture>& pictures);
    void setFigures(const std::array<FocusFigures, FociTable::kFoci>& figures);
    void setProblem(const QString& sentence); ///< why nothing is measured; empty: no problem

    BeamShapePlot& plot() { return *m_plot; }
    LabPicturePlot& picturePlot(std::size_t number) { return *m_pictures[number]; }
    FociTable& foci() { return *m_foci; }
    QToolButton& measureButton() { return *m_measure; }
    QString problem() const;
    /// "0.52 mm", "-13.3 dB", or a dash. `curve`: index as in BeamShapeCurves.
    QString widthText(int curve, bool measured = false) const {
        return m_table->widthText(curve, measured);
    }
    QString sideLobeText(int curve, bool measured = false) const {
        return m_table->sideLobeText(curve, measured);
    }

signals:
    void cameIntoSight();
    void settingsChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeControls(QBoxLayout& layout);
    QToolButton* makeToggle(const QString& text, const QString& help, bool on);
    void showMode();
    BeamMode mode() const;

    QComboBox* m_mode;
    QComboBox* m_sent;
    QComboBox* m_waves;
    QToolButton* m_measure;
    QToolButton* m_eachDepth;
    QToolButton* m_delayed;
    ValueSlider* m_bandwidth;
    ValueSlider* m_focus;
    ValueSlider* m_aperture;
    ValueSlider* m_elements;
    ValueSlider* m_phase;
    BeamShapePlot* m_plot;
    std::array<LabPicturePlot*, 1 + FociTable::kFoci> m_pictures; ///< the large one, then four
    BeamTable* m_table;
    FociTable* m_foci;
    QLabel* m_problem;
    QLabel* m_note;
    std::optional<Limits> m_limits;
};

} // namespace echolux
