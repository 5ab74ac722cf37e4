// SPDX-License-Identifier: GPL-3.0-or-later
// The question, and the entry of the menu.
#include "app/desktop/plugin_desk.hpp"

#include "app/dataset/recording/counted.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/pipeline/plugin_consents.hpp"
#include "app/session/plugin_parts.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "ui/parameters/pipeline_menu.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QThread>

#include <cstddef>
#include <cstdint>

namespace echolux {

PluginDesk::PluginDesk(QWidget& window, PipelineMenu& menu, const Session& session,
                       PipelineDesk& pipelines)
    : m_window(window), m_session(session), m_pipelines(pipelines) {
    takePluginParts();
    setPluginConsent([this](const PluginFile& file) { return allows(file); });
    connect(&menu, &PipelineMenu::pluginsRequested, this, &PluginDesk::reload);
    connect(&menu, &PipelineMenu::pluginRequested, this, [this] {
        const QString path = QFileDialog::getOpenFileName(&m_window, "Load a plugin", {},
                                                          "Plugins (*.so *.py);;All files (*)");
        if (!path.isEmpty()) load(path);
    });
    connect(&menu, &PipelineMenu::aboutToOffer, this,
            [&menu] { menu.setPlugins(!pluginsInUse().empty()); });
}

PluginDesk::~PluginDesk() { setPluginConsent(rememberedConsent()); }

bool PluginDesk::allows(const PluginFile& file) {
    if (rememberedConsent()(file)) return true;
    bool allowed = false;
    const auto answer = [&] { allowed = ask(file); };
    if (QThread::currentThread() == thread())
        answer();
    else
        QMetaObject::invokeMethod(this, answer, Qt::BlockingQueuedConnection);
    return allowed;
}

bool PluginDesk::ask(const PluginFile& file) {
    const QString path = QString::fromStdString(file.path.string());
    QMessageBox question(QMessageBox::Warning, "Plugin",
                         "The plugin " + QFileInfo(path).fileName() +
                             " is code that is not part of Echolux.",
                         QMessageBox::NoButton, &m_window);
    question.setInformativeText(
        "The code can do whatever you can do on this computer. Allow it only if you trust its "
        "author. The answer is remembered until the file changes.\n\n" +
        path + "\nSHA-256 " + QString::fromStdString(file.sha256));
    QPushButton* allow = question.addButton("&Allow", QMessageBox::AcceptRole);
    question.setDefaultButton(question.addButton("&Do not load", QMessageBox::RejectRole));
    question.exec();
    if (question.clickedButton() != allow) return false;
    try {
        PluginConsents().allow({file.sha256, file.path});
    } catch (const Error& error) { // allowed this once
        emit failed(error.what());
    }
    return true;
}

void PluginDesk::load(const QString& path) {
    emit loading();
    try {
        const Plugin plugin = usePlugin(findPlugin(path.toStdString(), {}));
        QStringList parts;
        const auto add = [&](std::size_t count, const char* thing) {
            if (count > 0)
                parts << QString::fromStdString(counted(static_cast<std::int64_t>(count), thing));
        };
        add(plugin.stages.size(), "stage");
        add(plugin.readers, "reader");
        add(plugin.sources, "live source");
        add(plugin.views, "view");
        emit informed(QString("Loaded the plugin %1 %2: %3.")
                          .arg(QString::fromStdString(plugin.name),
                               QString::fromStdString(plugin.version), parts.join(", ")));
    } catch (const Error& error) {
        emit failed(error.what());
    }
}

void PluginDesk::reload() {
    try {
        const std::vector<Plugin> renewed = reloadPlugins();
        if (renewed.empty()) {
            emit informed("No plugin has changed since it was loaded.");
            return;
        }
        QStringList names;
        for (const Plugin& plugin : renewed) names << QString::fromStdString(plugin.name);
        const bool done = !m_session.isOpen() ||
                          m_pipelines.edit("loading " + names.join(", ") + " anew",
                                           [this] { return toConfig(*m_session.snapshot()); });
        if (done) emit informed("Loaded anew: " + names.join(", ") + ".");
    } catch (const Error& error) {
        emit failed(error.what());
    }
}

} // namespace echolux
