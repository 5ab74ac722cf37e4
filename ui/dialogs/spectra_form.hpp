// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that say how spectra are stored.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace echolux {

struct RawImportForm {
    QString array;        ///< of a file that holds arrays: their type and sizes are their own
    QString type = "u16"; ///< "u8", "u16", "i16", "packed12", "u32", "i32", "f32", "f64"
    bool bigEndian = false;
    int samples = 1024; ///< per line
    int lines = 512;    ///< per B-scan
    int bscansPerVolume = 1;
    int backgroundLines = 0;         ///< their mean is the background
    bool backgroundPerBscan = false; ///< each B-scan begins with its own, or the file with all
    int headerBytes = 0;
    int trailerBytes = 0;
    int shift = 0;                   ///< bits
    double centreWavelengthNm = 0.0; ///< 0 = unknown, here and below
    double bandwidthNm = 0.0;

    bool operator==(const RawImportForm&) const = default;
};

class SpectraForm : public QWidget {
    Q_OBJECT
public:
    explicit SpectraForm(QWidget* parent = nullptr);
    /// Names of the file's arrays; none: headerless data, whose sizes can be typed.
    void setArrays(const QStringList& names);
    RawImportForm form() const;
    void setForm(const RawImportForm& form); ///< emits changed() where it differs

signals:
    void changed();

private:
    void follow();
    void showWhatApplies();

    QComboBox *m_array, *m_type, *m_order, *m_backgroundPlace;
    QSpinBox *m_samples, *m_lines, *m_volume, *m_background, *m_header, *m_trailer, *m_shift;
    QDoubleSpinBox *m_centre, *m_bandwidth;
    bool m_headerless = true;
    bool m_filling = false;
};

} // namespace echolux
