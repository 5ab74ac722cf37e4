// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which recordings to export with the settings in force, in which format, and to which folder.
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
    QString ending; ///< of the written files
    QString output; ///< Values: ExportOutput::name
    QString folder;
};

class BatchDialog : public QDialog {
    Q_OBJECT
public:
    explicit BatchDialog(QWidget* parent = nullptr);

    /// Keeps the files. Keeps format, output and folder of the last time where they are offered.
    /// `begin`: first folder of the file dialog.
    void setOffer(const ExportOffer& offer, const QString& begin);
    void addFiles(const QStringList& paths); ///< a file that is listed already is not added again
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
    /// One entry per format: kind and ending.
    std::vector<std::pair<ExportKind, QString>> m_formats;
    QListWidget* m_files;
    ComboBox *m_format, *m_output;
    QLineEdit* m_folder;
    QPushButton *m_add, *m_remove, *m_browse, *m_start, *m_close;
    QLabel* m_note;
};

} // namespace echolux
