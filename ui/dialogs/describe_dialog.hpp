// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what a file holds that does not say it: spectra, channel data or images. Whether it fits
// is said while it is typed, and a picture shows what comes of it.
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
class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace echolux {

class PreviewPicture;

class DescribeDialog : public QDialog {
    Q_OBJECT
public:
    enum class Kind { Spectra, Channels, Images };
    struct Suggestion {
        QString text;
        RawImportForm spectra{}; ///< of this kind, where it is the chosen one
        ChannelFormValues channels{};
        ImageFormValues images{};
    };

    explicit DescribeDialog(QWidget* parent = nullptr);
    /// Begins anew with another file. `arrays`: names of those it holds, none where it is
    /// headerless.
    void setFile(const QString& name, qint64 bytes, const QStringList& arrays = {});
    Kind kind() const;
    void setKind(Kind kind); ///< emits formChanged() where it differs
    SpectraForm& spectra() { return *m_spectra; }
    ChannelForm& channels() { return *m_channels; }
    ImageForm& images() { return *m_images; }
    /// While the file is read or the answer kept: says so, and nothing can be typed. Empty: ends.
    void setBusy(const QString& sentence);
    bool isBusy() const { return m_busy; }
    /// The preview shows what is stored: spectra, or samples channel by channel.
    bool wantsStored() const;

    void setFit(const QString& sentence, bool fits);
    void setSuggestions(const std::vector<Suggestion>& suggestions);
    /// `image`: lines across, samples or depths down. Null: `caption` says why there is none.
    /// `heightOverWidth`: as PreviewPicture has it.
    void setPreview(const QImage& image, const QString& caption, double heightOverWidth = 0.0);
    void setError(const QString& sentence); ///< until something is changed
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
    QPushButton *m_keep, *m_cancel;
    bool m_busy = false;
    bool m_fits = false;
};

} // namespace echolux
