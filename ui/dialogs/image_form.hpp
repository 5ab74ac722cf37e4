// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that describe images: storage, meaning of the values, geometry.
#pragma once

#include "ui/dialogs/array_fields.hpp"

#include <QString>
#include <QStringList>
#include <QWidget>

namespace echolux {

/// Numbers are in the units on screen; 0 means unknown unless stated otherwise. Roles of axes are
/// "frame", "elevation", "depth", "lateral", "iq", "none".
struct ImageFormValues : ArrayFormValues {
    QString form = "envelope"; ///< "beamformed", "envelope", "decibels", "picture"
    double codeScale = 1.0;    ///< value of one code
    QString shownRangeDb{};    ///< of decibels: "-60, 0"; empty: as found in the data
    bool conjugate = false;    ///< of I/Q pairs: Q is stored negated
    double centreMHz = 0.0;
    double demodulationMHz = 0.0;
    double frameRateHz = 0.0;
    bool sampled = false; ///< depths from the sampling frequency, otherwise from their step
    double depthStepMm = 0.0;
    double samplingMHz = 0.0;
    double soundSpeedMps = 1540.0;
    double depthFirstMm = 0.0;
    bool fanOut = false; ///< a sector
    double lineStepMm = 0.0;
    QString lineFirstMm{}; ///< empty: the lines are centred at 0
    QString anglesDeg{};   ///< first and last; first:last:step; or a list of all
    double radiusMm = 0.0;
    QString apexMm{}; ///< "x, z"; empty: "0, 0"
    double planeStepMm = 0.0;
    QString planeFirstMm{}; ///< empty: the planes are centred at 0

    bool operator==(const ImageFormValues&) const = default;
};

class ImageForm : public QWidget {
    Q_OBJECT
public:
    explicit ImageForm(QWidget* parent = nullptr);
    /// Names of the file's arrays. Empty: headerless data, where sizes can be typed.
    void setArrays(const QStringList& names);
    ImageFormValues form() const;
    void setForm(const ImageFormValues& form); ///< emits changed() where the form differs

signals:
    void changed();

private:
    QWidget* placesColumn();
    void connectAll();
    void follow();
    void showWhatApplies();

    ArrayFields* m_storage;
    QComboBox* m_form;
    QDoubleSpinBox* m_codeScale;
    QLineEdit* m_shownRange;
    QComboBox* m_pairs;
    QDoubleSpinBox *m_centre, *m_demodulation, *m_frameRate;
    QComboBox* m_depthBy;
    QDoubleSpinBox *m_depthStep, *m_sampling, *m_soundSpeed, *m_depthFirst;
    QComboBox* m_lines;
    QDoubleSpinBox* m_lineStep;
    QLineEdit *m_lineFirst, *m_angles;
    QDoubleSpinBox *m_radius, *m_planeStep;
    QLineEdit *m_apex, *m_planeFirst;
    bool m_filling = false;
};

} // namespace echolux
