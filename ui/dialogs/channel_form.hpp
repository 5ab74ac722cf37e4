// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that say what channel data are: how they are stored, the signal, the array, the transmits.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <array>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace echolux {

struct ChannelFormAxis {
    QString role = "none"; ///< "frame", "transmit", "channel", "sample", "iq", "none"
    int size = 1;          ///< 0: as many as the file holds

    bool operator==(const ChannelFormAxis&) const = default;
};

/// Numbers in the units of the screen; 0 = unknown where it says nothing else.
struct ChannelFormValues {
    QString array;        ///< of a file that holds arrays
    QString type = "i16"; ///< of headerless data: "u8", "i8", "u16", "i16", "i32", "f32", "f64"
    bool bigEndian = false;
    int headerBytes = 0;
    int trailerBytes = 0;
    double codeOffset = 0.0;             ///< a code
    std::vector<ChannelFormAxis> axes{}; ///< from slowest to fastest, or as the array has them
    bool conjugate = false;              ///< pairs: Q is stored negated
    double samplingMHz = 0.0;
    double centreMHz = 0.0;
    double demodulationMHz = 0.0;
    QString firstSampleUs = "0"; ///< one, or one per transmit
    bool firstElementFires = false;
    double frameRateHz = 0.0;
    double soundSpeedMps = 1540.0;
    QString probe = "linear"; ///< "linear", "convex", "matrix"
    double pitchMm = 0.0;
    double radiusMm = 0.0;
    int columns = 0;
    int rows = 0;
    QString wave = "plane"; ///< "plane", "focused", "diverging", "element"
    QString anglesDeg;      ///< first:last:step or a list
    double focusMm = 0.0;

    bool operator==(const ChannelFormValues&) const = default;
};

class ChannelForm : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostAxes = 5;

    explicit ChannelForm(QWidget* parent = nullptr);
    /// Names of the file's arrays; none: headerless data, whose sizes can be typed.
    void setArrays(const QStringList& names);
    ChannelFormValues form() const;
    void setForm(const ChannelFormValues& form); ///< emits changed() where it differs

signals:
    void changed();

private:
    struct AxisRow {
        QLabel* label;
        QComboBox* role;
        QSpinBox* size;
    };
    void addHeading(QGridLayout* grid, const QString& text);
    QWidget* storageColumn();
    QWidget* signalColumn();
    void connectAll();
    void follow();
    void showWhatApplies();

    QComboBox *m_array, *m_type, *m_order;
    QSpinBox *m_header, *m_trailer;
    QDoubleSpinBox* m_codeOffset;
    std::array<AxisRow, kMostAxes> m_axes{};
    QComboBox* m_pairs;
    QDoubleSpinBox *m_sampling, *m_centre, *m_demodulation, *m_frameRate, *m_soundSpeed;
    QLineEdit* m_firstSample;
    QComboBox *m_clock, *m_probe;
    QDoubleSpinBox *m_pitch, *m_radius;
    QSpinBox *m_columns, *m_rows;
    QComboBox* m_wave;
    QLineEdit* m_angles;
    QDoubleSpinBox* m_focus;
    bool m_headerless = true;
    std::size_t m_shownAxes = 0; ///< of an array
    bool m_filling = false;
};

} // namespace echolux
