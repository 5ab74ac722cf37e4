// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what a file without a description holds: spectra, channel data or images. While the user
// types, the dialog shows whether the description fits the file, and a preview.
#pragma once

#include "ui/dialogs/fact_form.hpp"

#include <QDialog>
#include <QImage>
#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
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
        FormValues values; ///< of the form of the dialog's kind
    };

    /// One order of the axes of images.
    struct Order {
        QImage picture;
        QString text;
        FormValues values;
    };

    using FormRows = std::array<std::vector<FormRow>, 3>; ///< of each kind

    explicit DescribeDialog(const FormRows& rows, QWidget* parent = nullptr);
    /// Starts again with another file. `arrays`: names of its arrays; empty: headerless.
    void setFile(const QString& name, qint64 bytes, const QStringList& arrays = {});
    Kind kind() const;
    void setKind(Kind kind); ///< emits formChanged() where the kind differs
    FactForm& form(Kind kind) const { return *m_forms[static_cast<std::size_t>(kind)]; }
    FactForm& form() const { return form(kind()); }
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
    bool fits() const { return m_fits; }
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
    QStackedWidget* m_stack;
    std::array<FactForm*, 3> m_forms{};
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
