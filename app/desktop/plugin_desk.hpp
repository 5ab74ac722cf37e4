// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins: asks the user before one runs, loads one that the user chooses, and loads those anew
// that were built anew.
#pragma once

#include "app/pipeline/plugins.hpp"

#include <QObject>

class QWidget;

namespace echolux {

class PipelineDesk;
class PipelineMenu;
class Session;

class PluginDesk : public QObject {
    Q_OBJECT
public:
    /// While it lives, it decides which plugins may run.
    PluginDesk(QWidget& window, PipelineMenu& menu, const Session& session,
               PipelineDesk& pipelines);
    ~PluginDesk() override;

    /// Loads this library after the user's consent, and says what it brings.
    void load(const QString& path);
    /// Loads changed plugins; the pipeline keeps its parameters. One step of the undo list.
    void reload();

signals:
    void loading(); ///< earlier failures no longer matter
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    /// By any thread; waits for the user's answer. What is allowed is remembered.
    bool allows(const PluginFile& file);
    bool ask(const PluginFile& file);

    QWidget& m_window;
    const Session& m_session;
    PipelineDesk& m_pipelines;
};

} // namespace echolux
