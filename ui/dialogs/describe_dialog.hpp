// SPDX-License-Identifier: GPL-3.0-or-later
// Asks how headerless spectra are stored: whether it fits is said while it is typed, and a picture
// shows what comes of it.
#pragma once

#include <QDialog>
#include <QImage>
#include <QString>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace echolux {

class PreviewPicture;

struct RawImportForm {
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

class RawImportDialog : public QDialog {
    Q_OBJECT
public:
    struct Suggestion {
        QString text;
        RawImportForm form;
    };

    explicit RawImportDialog(QWidget* parent = nullptr);
    /// Begins anew with another file.
    void setFile(const QString& name, qint64 bytes);
    RawImportForm form() const;
    void setForm(const RawImportForm& form); ///< emits formChanged() where it differs
    bool wantsSpectra() const;               ///< the preview shows them as they are stored

    void setFit(const QString& sentence, bool fits);
    void setSuggestions(const std::vector<Suggestion>& suggestions);
    /// `image`: lines across, samples or depths down. Null: `caption` says why there is none.
    void setPreview(const QImage& image, const QString& caption);
    void setError(const QString& sentence); ///< until something is changed
    QString fitText() const;
    bool hasPreview() const;
    QPushButton* openButton() const { return m_open; }

signals:
    void formChanged();
    void previewKindChanged();
    void openRequested();

private:
    void layOut();
    void follow();

    QLabel* m_file;
    QComboBox *m_type, *m_order, *m_kind, *m_backgroundPlace;
    QSpinBox *m_samples, *m_lines, *m_volume, *m_background, *m_header, *m_trailer, *m_shift;
    QDoubleSpinBox *m_centre, *m_bandwidth;
    QLabel *m_fit, *m_caption;
    QWidget* m_suggestions;
    QVBoxLayout* m_suggestionList;
    PreviewPicture* m_picture;
    QPushButton *m_open, *m_cancel;
    bool m_fits = false;
    bool m_filling = false;
};

} // namespace echolux
