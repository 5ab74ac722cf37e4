// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what a file without a description holds: spectra, channel data or images. While the user
// types, the dialog shows whether the description fits the file, and a preview.
#pragma once

#include "ui/dialogs/channel_form.hpp"
#include "ui/dialogs/image_form.hpp"
#include "ui/dialogs/spectra_form.hpp"

#include <QDialog>
#include <QImage>
#include <QString>
#include <QStringList>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace echolux {

class PreviewPicture;

class DescribeDialog : public QDialog {
    Q_OBJECT
public:
    enum class Kind { Spectra, Channels, Images };
    struct Suggestion {
        QString text;
        RawImportForm spectra{}; ///< only the form of the dialog's kind counts
        ChannelFormValues channels{};
        ImageFormValues images{};
    };

    /// One order of the axes of images.
    struct Order {
        QImage picture;
        QString text;
        ImageFormValues form{};
    };

    explicit DescribeDialog(QWidget* parent = nullptr);
    /// Starts again with another file. `arrays`: names of its arrays; empty: headerless.
    void setFile(const QString& name, qint64 bytes, const QStringList& arrays = {});
    Kind kind() const;
    void setKind(Kind kind); ///< emits formChanged() where the kind differs
    SpectraForm& spectra() { return *m_spectra; }
    ChannelForm& channels() { return *m_channels; }
    ImageForm& images() { return *m_images; }
    /// Shows a sentence and blocks input while the file is read or the description is kept. Empty:
    /// ends that.
    void setBusy(const QString& sentence);
    bool isBusy() const { return m_busy; }
    /// True where the preview must show the stored values: spectra, or samples channel by channel.
    bool wantsStored() const;

    void setFit(const QString& sentence, bool fits);
    void setSuggestions(const std::vector<Suggestion>& suggestions);
    /// `image`: lines run across, samples or depths down. Null: `caption` says why there is no
    /// preview. `heightOverWidth`: see PreviewPicture.
    void setPreview(const QImage& image, const QString& caption, double heightOverWidth = 0.0);
    /// Small pictures below the preview, one per order; a click chooses it. That of the form is
    /// marked. Fewer than two are not shown.
    void setOrders(const std::vector<Order>& orders);
    std::vector<QToolButton*> orderButtons() const { return m_orderButtons; }
    void setError(const QString& sentence); ///< shown until the user changes something
    QString fitText() const;
    QString captionText() const;
    bool hasPreview() const;
    QPushButton* keepButton() const { return m_keep; }

signals:
    void formChanged();
    void previewKindChanged();
    void keepRequested();

private:
    void layOut();
    void showKind();

    QLabel* m_file;
    QComboBox *m_kind, *m_previewKind;
    QStackedWidget* m_forms;
    SpectraForm* m_spectra;
    ChannelForm* m_channels;
    ImageForm* m_images;
    QLabel *m_fit, *m_caption;
    QWidget* m_suggestions;
    QVBoxLayout* m_suggestionList;
    PreviewPicture* m_picture;
    QWidget* m_orders;
    QGridLayout* m_orderGrid;
    std::vector<QToolButton*> m_orderButtons;
    QPushButton *m_keep, *m_cancel;
    bool m_busy = false;
    bool m_fits = false;
};

} // namespace echolux
