// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that describe channel data: storage, signal, array, transmits.
#pragma once

#include "ui/dialogs/array_fields.hpp"

#include <QString>
#include <QStringList>
#include <QWidget>

namespace echolux {

/// Roles: "frame", "transmit", "channel", "sample", "iq", "none".
using ChannelFormAxis = ArrayFormAxis;

/// Numbers are in the units on screen; 0 means unknown unless stated otherwise.
struct ChannelFormValues : ArrayFormValues {
    bool conjugate = false; ///< of I/Q pairs: Q is stored negated
    double samplingMHz = 0.0;
    double centreMHz = 0.0;
    double demodulationMHz = 0.0;
    QString firstSampleUs = "0"; ///< one value, or one per transmit
    bool firstElementFires = false;
    double frameRateHz = 0.0;
    double soundSpeedMps = 1540.0;
    QString probe = "linear"; ///< "linear", "convex", "matrix"
    double pitchMm = 0.0;
    double radiusMm = 0.0;
    int columns = 0;
    int rows = 0;
    QString wave = "plane"; ///< "plane", "focused", "diverging", "element"
    QString anglesDeg{};    ///< first:last:step or a list
    double focusMm = 0.0;

    bool operator==(const ChannelFormValues&) const = default;
};

class ChannelForm : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostAxes = ArrayFields::kMostAxes;

    explicit ChannelForm(QWidget* parent = nullptr);
    /// Names of the file's arrays. Empty: headerless data, where sizes can be typed.
    void setArrays(const QStringList& names);
    ChannelFormValues form() const;
    void setForm(const ChannelFormValues& form); ///< emits changed() where the form differs

signals:
    void changed();

private:
    QWidget* signalColumn();
    void connectAll();
    void follow();
    void showWhatApplies();

    ArrayFields* m_storage;
    QComboBox* m_pairs;
    QDoubleSpinBox *m_sampling, *m_centre, *m_demodulation, *m_frameRate, *m_soundSpeed;
    QLineEdit* m_firstSample;
    QComboBox *m_clock, *m_probe;
    QDoubleSpinBox *m_pitch, *m_radius;
    QSpinBox *m_columns, *m_rows;
    QComboBox* m_wave;
    QLineEdit* m_angles;
    QDoubleSpinBox* m_focus;
    bool m_filling = false;
};

} // namespace echolux
