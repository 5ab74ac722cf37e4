// SPDX-License-Identifier: GPL-3.0-or-later
// Which recordings are exported with the settings on view, in which format, and to which folder.
#pragma once

#include "ui/dialogs/export_dialog.hpp"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace echolux {

class ComboBox;

struct BatchChoice {
    QStringList files;
    ExportKind kind = ExportKind::Picture;
    QString ending; ///< of what is written
    QString output; ///< Values: ExportOutput::name
    QString folder;
};

class BatchDialog : public QDialog {
    Q_OBJECT
public:
    explicit BatchDialog(QWidget* parent = nullptr);

    /// Files stay; so do format, output and folder after the first time, where they are offered.
    /// `begin`: where files are looked for first.
    void setOffer(const ExportOffer& offer, const QString& begin);
    void addFiles(const QStringList& paths); ///< each once
    BatchChoice choice() const;
    void setError(const QString& sentence);

signals:
    void batchRequested(const echolux::BatchChoice& choice);

private:
    void layOut();
    void chooseFiles();
    void chooseFolder();
    void showState();

    QString m_begin;
    std::vector<std::pair<ExportKind, QString>> m_formats; ///< kind and ending per entry
    QListWidget* m_files;
    ComboBox *m_format, *m_output;
    QLineEdit* m_folder;
    QPushButton *m_add, *m_remove, *m_browse, *m_start, *m_close;
    QLabel* m_note;
};

} // namespace echolux
