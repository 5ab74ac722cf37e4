// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that describe how spectra are stored.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace echolux {

struct RawImportForm {
    /// Name of the array, where the file holds arrays; it has its own type and sizes.
    QString array;
    QString type = "u16"; ///< "u8", "u16", "i16", "packed12", "u32", "i32", "f32", "f64"
    bool bigEndian = false;
    int samples = 1024;      ///< samples per line
    int lines = 512;         ///< lines per B-scan
    int bscansPerVolume = 1; ///< of all places together
    int bscansPerPlace = 1;
    int backgroundLines = 0; ///< the background is the mean of these lines
    /// True: each B-scan begins with its own background lines; false: the file begins with all of
    /// them.
    bool backgroundPerBscan = false;
    int headerBytes = 0;
    int trailerBytes = 0;
    int shift = 0;                   ///< in bits
    double centreWavelengthNm = 0.0; ///< 0 = unknown, here and below
    double bandwidthNm = 0.0;
    double refractiveIndex = 0.0; ///< of the sample

    bool operator==(const RawImportForm&) const = default;
};

class SpectraForm : public QWidget {
    Q_OBJECT
public:
    explicit SpectraForm(QWidget* parent = nullptr);
    /// Names of the file's arrays. Empty: headerless data, where sizes can be typed.
    void setArrays(const QStringList& names);
    RawImportForm form() const;
    void setForm(const RawImportForm& form); ///< emits changed() where the form differs

signals:
    void changed();

private:
    void follow();
    void showWhatApplies();

    QComboBox *m_array, *m_type, *m_order, *m_backgroundPlace;
    QSpinBox *m_samples, *m_lines, *m_volume, *m_place, *m_background, *m_header, *m_trailer,
        *m_shift;
    QDoubleSpinBox *m_centre, *m_bandwidth, *m_index;
    bool m_headerless = true;
    bool m_filling = false;
};

} // namespace echolux
