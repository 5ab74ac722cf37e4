// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of pipelines.
#include "app/desktop/pipeline_desk.hpp"

#include "app/desktop/recent_files.hpp"
#include "app/desktop/workbench/label_text.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/pipeline/filter_text.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "gpu/stage/registry.hpp"
#include "ui/parameters/pipeline_menu.hpp"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr qsizetype kMostRecent = 10;
const QString kRecentList = QStringLiteral("recent_pipelines");
const QString kFilter = QStringLiteral("Pipelines (*.toml *.cfg *.conf *.txt);;All files (*)");

QString quoted(const QString& name) { return '"' + name + '"'; }

QString capitalised(QString text) {
    text[0] = text[0].toUpper();
    return text;
}

QString groupOf(const std::string& name, const PipelineConfig& config) {
    const auto has = [&](std::initializer_list<Role> roles) {
        return std::ranges::any_of(config.stages, [&](const StageConfig& stage) {
            return std::ranges::find(roles, stageType(stage.type).role) != roles.end();
        });
    };
    if (name.starts_with("listing")) return "Published listings";
    if (has({Role::ReadsSpectra})) return "OCT";
    if (has({Role::AddsScreen, Role::EstimatesScreen, Role::LoadsFilter, Role::CorrectsAberration}))
        return "Aberration";
    if (has({Role::WatchesMotion})) return "Flow and motion";
    return config.views.size() > 1 ? "Ultrasound, several views" : "Ultrasound";
}

std::vector<std::pair<QString, PipelineMenu::Entries>> shippedGroups() {
    std::vector<std::pair<QString, PipelineMenu::Entries>> groups;
    for (const char* title : {"Ultrasound", "Ultrasound, several views", "Flow and motion",
                              "Aberration", "Published listings", "OCT"})
        groups.emplace_back(title, PipelineMenu::Entries{});
    for (const std::string& name : shippedPipelines()) {
        const PipelineConfig config = shippedPipeline(name);
        const auto group =
            std::ranges::find(groups, groupOf(name, config), &decltype(groups)::value_type::first);
        group->second.emplace_back(QString::fromStdString(config.name),
                                   QString::fromStdString(name));
    }
    return groups;
}

} // namespace

bool isPipelineFile(const QString& path) {
    QFile file(path);
    constexpr auto kLongest = static_cast<qint64>(kLongestPipeline);
    if (file.size() > kLongest || !file.open(QIODevice::ReadOnly)) return false;
    const std::string text = file.read(kLongest).toStdString();
    if (text.find('\0') != std::string::npos) return false;
    return isFilterText(text) || text.find("[[stage]]") != std::string::npos;
}

QString PipelineMove::placeName() const {
    return place.backend == Backend::Cpu ? QString("the CPU")
                                         : QString("CUDA, GPU %1").arg(place.gpu);
}

PipelineDesk::PipelineDesk(QWidget& window, PipelineMenu& menu, Session& session, EditDesk& edits,
                           bool remember)
    : m_window(window), m_menu(menu), m_session(session), m_edits(edits), m_remember(remember) {
    connect(&menu, &PipelineMenu::aboutToOffer, this, [this] { offer(); });
    connect(&menu, &PipelineMenu::openRequested, this, [this] { choose(); });
    connect(&menu, &PipelineMenu::fileChosen, this, &PipelineDesk::open);
    connect(&menu, &PipelineMenu::shippedChosen, this, &PipelineDesk::openShipped);
    connect(&menu, &PipelineMenu::saveRequested, this,
            [this] { m_file.isEmpty() ? saveAs() : save(m_file); });
    connect(&menu, &PipelineMenu::saveAsRequested, this, [this] { saveAs(); });
    connect(&menu, &PipelineMenu::branchRequested, this, [this](const QString& stage) {
        edit("A against B from " + stage,
             [&] { return withBranch(*m_session.snapshot(), stage.toStdString()); });
    });
    connect(&menu, &PipelineMenu::differenceRequested, this, [this](int first, int second) {
        const QStringList names = viewNames(*m_session.snapshot());
        edit("difference of " + names[first] + " and " + names[second], [&] {
            return withDifference(*m_session.snapshot(), static_cast<std::size_t>(first),
                                  static_cast<std::size_t>(second));
        });
    });
    menu.setShipped(shippedGroups());
    if (m_remember) m_recent = userSettings().value(kRecentList).toStringList();
    menu.setRecent(m_recent);
}

void PipelineDesk::offer() {
    PipelineMenu::Entries points;
    QStringList views;
    if (m_session.isOpen()) {
        const SnapshotPtr snapshot = m_session.snapshot();
        for (const StageState& stage : snapshot->stages) {
            const QString label = QString::fromStdString(stage.type->label);
            const QString id = QString::fromStdString(stage.id);
            points.emplace_back(stage.id == stage.type->id ? label : label + " (" + id + ")", id);
        }
        if (snapshot->views.size() >= kMostViews)
            points.clear();
        else
            views = viewNames(*snapshot);
    }
    m_menu.setSubtractable(views);
    m_menu.setBranchPoints(points);
}

void PipelineDesk::recordingOpened() {
    m_file.clear();
    m_menu.setOpen(true);
}

bool PipelineDesk::edit(const QString& what, const std::function<PipelineConfig()>& make,
                        const QString& refused) {
    if (!m_session.isOpen()) return false;
    try {
        const PipelineConfig config = make();
        const QString refusal =
            m_edits.edit({what, capitalised(what)}, [&] { m_session.applyPipeline(config); });
        if (refusal.isEmpty()) return true;
        fail(refused + refusal);
    } catch (const Error& error) {
        fail(error.what());
    }
    return false;
}

/// The sentence with the labels of the window.
void PipelineDesk::fail(const QString& sentence) {
    emit failed(inLabels(sentence.toStdString(), *m_session.snapshot()));
}

void PipelineDesk::open(const QString& path) {
    if (!m_session.isOpen()) {
        emit failed("A pipeline needs a recording to run on; open one first.");
        return;
    }
    const QString name = quoted(QFileInfo(path).fileName());
    load(
        "pipeline " + name, [&] { return loadPipeline(path.toStdString()); },
        "The pipeline " + name + " does not suit this recording: ",
        QFileInfo(path).absoluteFilePath());
}

void PipelineDesk::openShipped(const QString& name) {
    load("pipeline " + quoted(name),
         [&] { return fittedPipeline(name.toStdString(), m_session.snapshot()->input); }, {}, {});
}

void PipelineDesk::opened(const QString& file) {
    m_file = file;
    if (!file.isEmpty()) remember(file);
}

void PipelineDesk::moved(const PipelineMove& move) { opened(move.file); }

void PipelineDesk::load(const QString& what, const std::function<PipelineConfig()>& make,
                        const QString& refused, const QString& file) {
    if (!m_session.isOpen()) return;
    try {
        const PipelineConfig config = make();
        const EnvironmentAnswer answer =
            answerTo(config.environment, m_session.backend(), GpuCount::now());
        if (answer.move) {
            try {
                imagingSnapshot(m_session.snapshot()->input, config);
            } catch (const Error& error) {
                fail(refused + error.what());
                return;
            }
            emit moveWanted({config, *answer.move, {what, capitalised(what)}, file});
            return;
        }
        const bool done = edit(
            what, [&] { return config; }, refused);
        if (!done) return;
        opened(file);
        if (!answer.warning.empty()) emit warned(QString::fromStdString(answer.warning));
    } catch (const Error& error) {
        fail(error.what());
    }
}

void PipelineDesk::choose() {
    const QString folder = m_file.isEmpty() ? QString() : QFileInfo(m_file).absolutePath();
    const QString path =
        QFileDialog::getOpenFileName(&m_window, "Open a pipeline", folder, kFilter);
    if (!path.isEmpty()) open(path);
}

void PipelineDesk::saveAs() {
    if (!m_session.isOpen()) return;
    QString path = QFileDialog::getSaveFileName(
        &m_window, "Save the pipeline", m_file.isEmpty() ? "pipeline.toml" : m_file, kFilter);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".toml";
    save(path);
}

void PipelineDesk::save(const QString& path) {
    if (!m_session.isOpen()) return;
    try {
        writeWhole(path.toStdString(), toToml(toConfig(*m_session.snapshot())));
    } catch (const Error& error) {
        emit failed(error.what());
        return;
    }
    m_file = QFileInfo(path).absoluteFilePath();
    remember(m_file);
    emit informed("The pipeline is saved as " + quoted(QFileInfo(path).fileName()) + ".");
}

void PipelineDesk::remember(const QString& path) {
    m_recent.removeAll(path);
    m_recent.prepend(path);
    while (m_recent.size() > kMostRecent) m_recent.removeLast();
    m_menu.setRecent(m_recent);
    if (m_remember) userSettings().setValue(kRecentList, m_recent);
}

} // namespace echolux
