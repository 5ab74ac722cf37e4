// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what to export, of which frames, in which format, and to which file.
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <vector>

class QDoubleSpinBox;
class QImage;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTimer;

namespace echolux {

class ComboBox;
class PreviewPicture;
class ToggleSwitch;

/// Picture: one frame as shown. Cine: several frames as shown. Values: the numbers of a stage's
/// output. Curve: the picked column.
enum class ExportKind : std::uint8_t { Picture, Cine, Values, Curve };
constexpr std::size_t kExportKinds = 4;

struct ExportFormat {
    QString ending; ///< with its dot: ".nii.gz"
    QString label;  ///< "NIfTI, compressed"
};

struct ExportOutput {
    QString name;  ///< "beamform", "transmits@beamform"
    QString label; ///< as shown on screen
};

/// What the dialog offers.
struct ExportOffer {
    QString recording;  ///< path of the recording; identifies it
    QString folder;     ///< an existing folder
    QString baseName;   ///< suggested file name without ending
    int frames = 1;     ///< number of frames of the recording
    int shownFrame = 1; ///< counted from 1
    double framesPerS = 25.0;
    /// A kind without formats is not offered.
    std::array<std::vector<ExportFormat>, kExportKinds> formats;
    std::vector<ExportOutput> outputs; ///< the last one is the output of the pipeline
};

struct ExportChoice {
    ExportKind kind = ExportKind::Picture;
    QString path;
    QString output;     ///< Values: ExportOutput::name
    int firstFrame = 1; ///< counted from 1
    int lastFrame = 1;  ///< inclusive
    double framesPerS = 25.0;
    bool axes = false;
    bool scaleBar = false;
    bool colourBar = false;
    bool sixteenBit = false; ///< Picture only: 16-bit grey levels, without colours
    int width = 0;           ///< pixels across the image; 0: its own
    int labelsPx = 0;        ///< height of the labels; 0: in proportion to the picture
    double dpi = 0.0;        ///< resolution that the file states; 0: the image is to scale
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(QWidget* parent = nullptr);

    /// Keeps the user's choices where the recording is the one offered before.
    void setOffer(const ExportOffer& offer);
    /// The path has the ending of the chosen format, also where the user did not type it.
    ExportChoice choice() const;
    /// Blocks the export button until setError(), or until the dialog is closed.
    void setChecking();
    bool isChecking() const { return m_checking; }
    /// Shows why nothing was exported. All choices stay.
    void setError(const QString& sentence);
    /// The shown frame as the choice would draw it; see previewWanted(). `problem`: why it cannot
    /// be drawn, or nothing.
    void setPreview(const QImage& picture, const QString& problem = {});

signals:
    void exportRequested(const echolux::ExportChoice& choice);
    /// The look of pictures was chosen. Emitted only while pictures are to be exported.
    void previewWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    QWidget* makeLooks();
    QWidget* makeSizes();
    void askPreview();
    bool isDeep() const; ///< levels of 16 bits, without marks
    void showKind();
    void showFormats();
    void followEnding();
    void followTyping();
    void endChecking();
    void showHelp();
    /// Ending of `path` where it is an offered format's, with its dot; otherwise empty.
    QString endingOf(const QString& path) const;
    void browse();
    ExportKind kind() const;
    const std::vector<ExportFormat>& formats() const;
    QString ending() const;

    ExportOffer m_offer;
    std::vector<ExportKind> m_kinds; ///< the offered kinds
    ComboBox *m_kind, *m_format, *m_output;
    QSpinBox *m_first, *m_last;
    QDoubleSpinBox* m_rate;
    QSpinBox *m_width, *m_labels, *m_dpi;
    ToggleSwitch *m_axes, *m_scaleBar, *m_colourBar, *m_sixteenBit;
    QLineEdit* m_path;
    QPushButton *m_browse, *m_export, *m_close;
    QLabel* m_note;
    PreviewPicture* m_preview;
    QString m_previewProblem; ///< shown last
    QTimer* m_soon;           ///< typing does not draw each digit
    bool m_checking = false;
};

} // namespace echolux
