// SPDX-License-Identifier: GPL-3.0-or-later
// Records edits, undoes them and repeats them.
#include "app/desktop/edit_desk.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/session/calibrated_pipeline.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
#include <exception>
#include <utility>

namespace echolux {
namespace {

bool sameStages(const PipelineConfig& a, const PipelineConfig& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageConfig& x, const StageConfig& y) {
        return x.id == y.id && x.type == y.type;
    });
}

/// The shipped pipeline for these frames, if it has the stages of `opened`; otherwise the pipeline
/// of `opened` itself.
PipelineConfig standardOf(const Snapshot& opened) {
    const PipelineConfig own = toConfig(opened);
    try {
        PipelineConfig suited = defaultPipeline(opened.input);
        if (sameStages(suited, own)) return suited;
    } catch (const Error&) { // no shipped pipeline suits these frames
    }
    return own;
}

struct DisplayWords {
    QString what;   ///< as of Edit
    QString detail; ///< "gamma, 1.20"
};

/// Describes the difference between `before` and the settings that `shown` shows.
DisplayWords displayWords(const DisplayChoice& before, const DisplayGroup& shown) {
    const DisplayChoice& after = shown.settings();
    QStringList names;
    QStringList details;
    const auto add = [&](bool changed, const QString& name, const QString& value) {
        if (!changed) return;
        names << name;
        details << name + ", " + value;
    };
    const auto value = [&](const char* key) { return shown.row(key)->valueText(); };
    add(before.colourMap != after.colourMap, "colour map", value("colour_map"));
    add(before.inverted != after.inverted, "inverted colours", value("inverted"));
    add(before.min != after.min || before.max != after.max, "display range",
        value("min") + " to " + value("max"));
    add(before.gamma != after.gamma, "gamma", value("gamma"));
    add(before.smooth != after.smooth, "smoothing", value("smooth"));
    add(before.opacity != after.opacity, "overlay opacity", value("opacity"));
    add(before.priority != after.priority, "overlay priority", value("priority"));
    add(before.particles != after.particles, "particles", value("particles"));
    add(before.particleCount != after.particleCount, "number of particles",
        value("particle_count"));
    add(before.particlePace != after.particlePace, "pace of particles", value("particle_pace"));
    return {names.size() == 1 ? names.front() : QStringLiteral("display settings"),
            details.join("; ")};
}

bool alike(const Snapshot& a, const Snapshot& b) {
    return a.name == b.name && a.environment == b.environment && sameGraph(a, b);
}

bool sameValues(const Snapshot& a, const Snapshot& b) {
    return a.input.spectrometer == b.input.spectrometer && alike(a, b) &&
           std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
               return x.hasSwitchesOf(y) && x.params == y.params;
           });
}

Edit named(const StepName& name) {
    return {name.what.toStdString(),
            (name.detail.isEmpty() ? name.what : name.detail).toStdString(),
            name.gesture.toStdString()};
}

} // namespace

EditDesk::EditDesk(EditMenu& menu, ParameterPanel& panel, DisplayGroup& display, Session& session)
    : m_menu(menu), m_panel(panel), m_group(display), m_session(session) {
    connect(&menu, &EditMenu::undoRequested, this, &EditDesk::undo);
    connect(&menu, &EditMenu::redoRequested, this, &EditDesk::redo);
    connect(&menu, &EditMenu::positionChosen, this, &EditDesk::goTo);
    addParts();
    m_document.onChange([this] { tell(); });
    // A drag, or several steps of the wheel, are one edit. A click or Return begins another.
    qApp->installEventFilter(this);
}

bool EditDesk::eventFilter(QObject* watched, QEvent* event) {
    bool ends = event->type() == QEvent::MouseButtonPress;
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        ends = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab;
    }
    if (ends) m_document.endGesture();
    return QObject::eventFilter(watched, event);
}

void EditDesk::addParts() {
    m_pipelinePart = m_document.add(documentPart<Pipeline>(
        [this] {
            const bool open = m_session.isOpen();
            return Pipeline{open ? m_session.snapshot() : nullptr, m_origin,
                            open ? m_session.recording().frame.spectrometer : nullptr};
        },
        [this](const Pipeline& from, const Pipeline& to) { return go(from, to); },
        [](const Pipeline& a, const Pipeline& b) {
            return a.snapshot == b.snapshot ||
                   (a.snapshot && b.snapshot && sameValues(*a.snapshot, *b.snapshot));
        }));
    m_displayPart = m_document.add(documentPart<DisplayChoice>(
        [this] { return m_display; },
        [this](const DisplayChoice& from, const DisplayChoice& to) { return go(from, to); }));
}

QString EditDesk::attempt(const std::function<void()>& change) {
    const SnapshotPtr before = m_session.snapshot();
    try {
        change();
        emit applied(before);
    } catch (const std::exception& error) {
        return inLabels(failureText(error), *m_session.snapshot());
    }
    return {};
}

QString EditDesk::edit(const Name& name, const std::function<void()>& change,
                       const std::optional<QString>& origin) {
    if (!m_session.isOpen()) return {};
    const Document::States before = m_document.states();
    const QString refusal = attempt(change);
    if (!refusal.isEmpty()) return refusal;
    if (origin) m_origin = *origin;
    done(name, before);
    return {};
}

void EditDesk::done(const Name& name, const Document::States& before) {
    m_document.done(named(name), before);
    m_panel.clearErrors();
}

void EditDesk::displayFollowed() { m_display = m_group.settings(); }

void EditDesk::displayEdited(const DisplayChoice& before) {
    displayFollowed();
    const DisplayWords words = displayWords(before, m_group);
    displayEdited({words.what, "Display: " + words.detail, "display/" + words.what}, before);
}

void EditDesk::displayEdited(const Name& name, const DisplayChoice& before) {
    Document::States states = m_document.states();
    states[m_displayPart] = std::make_shared<const DisplayChoice>(before);
    m_document.done(named(name), states);
}

void EditDesk::leaving() {
    m_left = m_session.isOpen() ? std::make_shared<RecordingState>(recordingState()) : nullptr;
}

void EditDesk::opened(const OpenRequest& asked) {
    m_asked = asked;
    m_origin = asked.options.calibration
                   ? QString::fromStdString(asked.options.calibration->string())
                   : QString();
    m_opened = m_session.snapshot();
    m_standard = standardOf(*m_opened);
    const auto left = std::exchange(m_left, nullptr);
    if (m_stepping || !left) return;
    const QString name = QString::fromStdString(asked.file.filename().string());
    record({"opening " + name, "Open " + name}, left);
}

void EditDesk::moved(const Name& name) { record(name, std::exchange(m_left, nullptr)); }

void EditDesk::record(const Name& name, const std::shared_ptr<const RecordingState>& left) {
    Edit edit = named(name);
    edit.opening = {left, std::make_shared<const RecordingState>(recordingState())};
    m_document.opened(std::move(edit));
}

void EditDesk::displayRestored() {
    displayFollowed();
    m_document.amendOpening(std::make_shared<const RecordingState>(recordingState()));
}

void EditDesk::engineRefused() { m_document.amend(m_pipelinePart); }

RecordingState EditDesk::recordingState() const {
    RecordingState state{m_asked,      toConfig(*m_session.snapshot()),
                         std::nullopt, m_origin,
                         m_display,    m_session.backend()};
    const auto facts = m_session.spectrometer();
    if (facts && facts != m_session.recording().frame.spectrometer) {
        state.calibration = calibrationIn(*facts);
        state.calibration->title = "kept";
    }
    return state;
}

void EditDesk::undo() {
    m_target.reset();
    step(Way::Back);
}

void EditDesk::redo() {
    m_target.reset();
    step(Way::Forth);
}

void EditDesk::goTo(int position) {
    m_target = position;
    goOn();
}

void EditDesk::goOn() {
    if (!m_target) return;
    if (static_cast<int>(m_document.position()) == *m_target) {
        m_target.reset();
        return;
    }
    step(static_cast<int>(m_document.position()) > *m_target ? Way::Back : Way::Forth);
}

void EditDesk::step(Way way) {
    m_document.endGesture();
    const Edit* edit = m_document.next(way);
    if (edit == nullptr || !m_session.isOpen()) {
        m_target.reset();
        tell();
        return;
    }
    if (edit->opening) {
        reopen(way, *edit->opening);
        return;
    }
    const QString detail = QString::fromStdString(edit->detail);
    const QString refusal = QString::fromStdString(m_document.go(way));
    if (!refusal.isEmpty()) {
        m_target.reset();
        emit failed(QString("%1 cannot be %2: %3")
                        .arg(detail, way == Way::Back ? "undone" : "done again", refusal));
        return;
    }
    stepped(way);
}

void EditDesk::stepped(Way way) {
    m_document.stepped(way);
    m_panel.clearErrors();
    emit steppedOver();
    goOn();
}

/// Applies only what the edit changed. Where it changed stages, links or views, it applies the
/// whole pipeline.
std::string EditDesk::go(const Pipeline& from, const Pipeline& to) {
    const auto change = [&] {
        auto facts = m_session.spectrometer();
        if (from.snapshot->input.spectrometer != to.snapshot->input.spectrometer) {
            facts = to.snapshot->input.spectrometer;
            if (facts == to.own) facts = m_session.recording().frame.spectrometer;
        }
        m_session.applyCalibration(
            std::move(facts), alike(*from.snapshot, *to.snapshot)
                                  ? takenBack(*m_session.snapshot(), *to.snapshot, *from.snapshot)
                                  : toConfig(*to.snapshot));
        m_origin = to.origin;
    };
    return attempt(change).toStdString();
}

/// Limits that the user did not change in this edit stay as they are.
std::string EditDesk::go(const DisplayChoice& from, DisplayChoice to) {
    if (from.min == to.min && from.max == to.max) {
        to.min = m_display.min;
        to.max = m_display.max;
    }
    emit displayWanted(to);
    displayFollowed();
    return {};
}

void EditDesk::reopen(Way way, const Edit::Opening& opening) {
    const auto state = std::static_pointer_cast<const RecordingState>(
        way == Way::Back ? opening.before : opening.after);
    emit reopenWanted(*state, [this, way, state, revision = m_document.revision()] {
        // Where the user has edited meanwhile, the list continues from that edit.
        if (revision != m_document.revision()) {
            m_target.reset();
            opened(state->asked);
            return;
        }
        m_stepping = true;
        opened(state->asked);
        m_stepping = false;
        m_origin = state->origin;
        emit displayWanted(state->display);
        displayFollowed();
        stepped(way);
    });
}

QString EditDesk::newest() const {
    const Edit* edit = m_document.next(Way::Back);
    return edit != nullptr ? QString::fromStdString(edit->what) : QString();
}

PipelineConfig EditDesk::atDefaults() const {
    PipelineConfig config = toConfig(*m_session.snapshot());
    for (StageConfig& stage : config.stages) {
        stage.values.clear();
        const auto at = std::ranges::find(m_standard.stages, stage.id, &StageConfig::id);
        stage.bypass = at != m_standard.stages.end() && at->bypass;
    }
    return config;
}

std::optional<PipelineConfig> EditDesk::edited() const {
    if (!m_session.isOpen() || !m_opened) return std::nullopt;
    PipelineConfig now = toConfig(*m_session.snapshot());
    if (toToml(now) == toToml(toConfig(*m_opened))) return std::nullopt;
    return now;
}

QStringList EditDesk::details() const {
    QStringList all;
    for (const Edit& edit : m_document.edits()) all << QString::fromStdString(edit.detail);
    return all;
}

void EditDesk::tell() {
    const Edit* undone = m_document.next(Way::Forth);
    m_menu.setUndo(newest());
    m_menu.setRedo(undone != nullptr ? QString::fromStdString(undone->what) : QString());
    m_menu.setHistory(details(), static_cast<int>(m_document.position()));
    emit changed();
}

} // namespace echolux
