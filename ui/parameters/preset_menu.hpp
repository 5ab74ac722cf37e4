// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of named settings, which are stored per kind of recording.
#pragma once

#include <QMenu>
#include <QStringList>

namespace echolux {

class PresetMenu : public QMenu {
    Q_OBJECT
public:
    explicit PresetMenu(QWidget* parent = nullptr);
    /// `kind`: "OCT spectra"; empty: no recording is open. `lastUsed`: settings used last exist.
    void setPresets(const QString& kind, const QStringList& names, bool lastUsed);
    const QStringList& names() const { return m_names; }
    bool hasLastUsed() const { return m_lastUsed->isEnabled(); }

signals:
    void aboutToOffer(); ///< emitted before the menu opens; the receiver updates the presets
    void chosen(const QString& name);
    void lastUsedChosen();
    void saveRequested(const QString& name);
    void deleteRequested(const QString& name);

private:
    void askForName();

    QAction* m_save;
    QAction* m_lastUsed;
    QAction* m_heading;
    QMenu* m_delete;
    QList<QAction*> m_entries;
    QStringList m_names;
    QString m_kind;
};

} // namespace echolux
