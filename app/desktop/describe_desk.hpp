// SPDX-License-Identifier: GPL-3.0-or-later
// Headerless spectra, from the question how they are stored to the file that opens.
#pragma once

#include "app/dataset/frames/raw_import.hpp"
#include "app/desktop/background.hpp"
#include "ui/dialogs/raw_import_dialog.hpp"

#include <QObject>
#include <QTimer>

#include <optional>

namespace echolux {

class RawImporter : public QObject {
    Q_OBJECT
public:
    /// `parent` owns the dialog.
    RawImporter(QWidget& parent, Background& background);

    void ask(const QString& path);
    RawImportDialog* dialog() const { return m_dialog; } ///< null until asked

signals:
    void described();                            ///< openRecording() opens it now
    void keptElsewhere(const QString& sentence); ///< not beside it; comes before described()
    void failed(const QString& sentence);

private:
    struct Look;
    void makeDialog();
    void follow();
    void look();
    void show(const Look& look);
    void keep();

    QWidget& m_parent;
    Background& m_background;
    RawImportDialog* m_dialog = nullptr;
    QString m_path;
    std::uint64_t m_bytes = 0;
    QTimer m_settled; ///< a moment after the last key
    bool m_looking = false;
    bool m_stale = false;              ///< changed since the look under way began
    std::optional<RawImport> m_ranked; ///< that the suggestions were made for
    bool m_touched = false;            ///< by the user, since the file was chosen
};

} // namespace echolux
