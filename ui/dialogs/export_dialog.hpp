// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be exported, of which frames, in which format, and to which file.
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace echolux {

class ComboBox;
class ToggleSwitch;

/// Picture: one frame as it is shown. Cine: several. Values: the numbers of a stage's output.
/// Curve: the picked column.
enum class ExportKind : std::uint8_t { Picture, Cine, Values, Curve };
constexpr std::size_t kExportKinds = 4;

struct ExportFormat {
    QString ending; ///< with its dot: ".nii.gz"
    QString label;  ///< "NIfTI, compressed"
};

struct ExportOutput {
    QString name;  ///< "beamform", "transmits@beamform"
    QString label; ///< on screen
};

/// What the dialog offers.
struct ExportOffer {
    QString recording;  ///< tells two recordings apart: its path
    QString folder;     ///< exists
    QString baseName;   ///< of the file, without ending
    int frames = 1;     ///< of the recording
    int shownFrame = 1; ///< counted from 1
    double framesPerS = 25.0;
    std::array<std::vector<ExportFormat>, kExportKinds> formats; ///< a kind without any is left out
    std::vector<ExportOutput> outputs;                           ///< the last is the pipeline's end
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
    bool sixteenBit = false; ///< Picture: gray levels of 16 bit, without colours
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(QWidget* parent = nullptr);

    /// Where the recording is the one offered before, what was chosen and typed stays.
    void setOffer(const ExportOffer& offer);
    /// The path ends in the chosen format's ending, also where nobody typed it.
    ExportChoice choice() const;
    /// Export waits until setError(), or until the dialog is closed.
    void setChecking();
    bool isChecking() const { return m_checking; }
    /// Why nothing is exported; all that was chosen stays.
    void setError(const QString& sentence);

signals:
    void exportRequested(const echolux::ExportChoice& choice);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    void showKind();
    void showFormats();
    void followEnding();
    void followTyping();
    void endChecking();
    void showHelp();
    /// That of an offered format, with its dot; empty where `path` has none.
    QString endingOf(const QString& path) const;
    void browse();
    ExportKind kind() const;
    const std::vector<ExportFormat>& formats() const;
    QString ending() const;

    ExportOffer m_offer;
    std::vector<ExportKind> m_kinds; ///< offered ones
    ComboBox *m_kind, *m_format, *m_output;
    QSpinBox *m_first, *m_last;
    QDoubleSpinBox* m_rate;
    ToggleSwitch *m_axes, *m_scaleBar, *m_colourBar, *m_sixteenBit;
    QLineEdit* m_path;
    QPushButton *m_browse, *m_export, *m_close;
    QLabel* m_note;
    bool m_checking = false;
};

} // namespace echolux
