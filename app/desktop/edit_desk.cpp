// SPDX-License-Identifier: GPL-3.0-or-later
// Records edits, undoes them and repeats them.
#include "app/desktop/edit_desk.hpp"

#include "app/session/calibrated_pipeline.hpp"
#include "gpu/core/error.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/window/main_window.hpp"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
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

} // namespace

EditDesk::EditDesk(MainWindow& window, Session& session, Means means)
    : m_window(window), m_session(session), m_means(std::move(means)) {
    EditMenu* menu = &window.edits();
    connect(menu, &EditMenu::undoRequested, this, &EditDesk::undo);
    connect(menu, &EditMenu::redoRequested, this, &EditDesk::redo);
    connect(menu, &EditMenu::positionChosen, this, &EditDesk::goTo);
    // A drag, or several steps of the wheel, are one edit. A click or Return begins another.
    qApp->installEventFilter(this);
}

bool EditDesk::eventFilter(QObject* watched, QEvent* event) {
    bool ends = event->type() == QEvent::MouseButtonPress;
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        ends = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab;
    }
    if (ends) {
        const std::uint64_t before = m_history.revision();
        m_history.endGesture();
        if (m_history.revision() != before) tell();
    }
    return QObject::eventFilter(watched, event);
}

EditDesk::State EditDesk::state() const { return {m_session.snapshot(), m_origin, m_display}; }

QString EditDesk::edit(const Name& name, const std::function<void()>& change,
                       const std::optional<QString>& origin) {
    if (!m_session.isOpen()) return {};
    const State before = state();
    const QString refusal = m_means.attempt(change);
    if (!refusal.isEmpty()) return refusal;
    if (origin) m_origin = *origin;
    done(name, before);
    return {};
}

void EditDesk::done(const Name& name, const State& before) {
    const State now = state();
    Edit edit{name.what, name.detail.isEmpty() ? name.what : name.detail, name.gesture};
    if (now.pipeline != before.pipeline) {
        edit.pipeline = PipelineEdit{before.pipeline, now.pipeline, before.origin, now.origin,
                                     m_session.engine().info().frame.spectrometer};
    }
    if (now.display != before.display) edit.display = DisplayEdit{before.display, now.display};
    m_history.record(std::move(edit));
    m_window.parameters().clearErrors();
    tell();
}

void EditDesk::displayFollowed() { m_display = m_window.display().settings(); }

void EditDesk::displayEdited(const DisplayChoice& before) {
    displayFollowed();
    const DisplayWords words = displayWords(before, m_window.display());
    m_history.record({words.what, "Display: " + words.detail, "display/" + words.what, std::nullopt,
                      DisplayEdit{before, m_display}});
    tell();
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
    Edit edit{"opening " + name, "Open " + name, {}};
    edit.opening = OpeningEdit{left, std::make_shared<RecordingState>(recordingState())};
    m_history.record(std::move(edit));
    tell();
}

void EditDesk::moved(const Name& name) {
    const auto left = std::exchange(m_left, nullptr);
    Edit edit{name.what, name.detail.isEmpty() ? name.what : name.detail, {}};
    edit.opening = OpeningEdit{left, std::make_shared<RecordingState>(recordingState())};
    m_history.record(std::move(edit));
    tell();
}

void EditDesk::displayRestored() {
    displayFollowed();
    m_history.amendOpening(m_display);
}

void EditDesk::engineRefused() {
    m_history.refused(m_session.snapshot());
    tell();
}

RecordingState EditDesk::recordingState() const {
    RecordingState state{m_asked,      toConfig(*m_session.snapshot()),
                         std::nullopt, m_origin,
                         m_display,    m_session.backend()};
    const auto facts = m_session.spectrometer();
    if (facts && facts != m_session.engine().info().frame.spectrometer) {
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
    if (m_history.position() == *m_target) {
        m_target.reset();
        return;
    }
    step(m_history.position() > *m_target ? Way::Back : Way::Forth);
}

void EditDesk::step(Way way) {
    m_history.endGesture();
    const Edit* edit = way == Way::Back ? m_history.toUndo() : m_history.toRedo();
    if (edit == nullptr || !m_session.isOpen()) {
        m_target.reset();
        tell();
        return;
    }
    if (edit->opening) {
        reopen(way, *edit->opening);
        return;
    }
    const QString refusal = edit->pipeline ? apply(way, *edit->pipeline) : QString();
    if (!refusal.isEmpty()) {
        m_target.reset();
        emit failed(QString("%1 cannot be %2: %3")
                        .arg(edit->detail, way == Way::Back ? "undone" : "done again", refusal));
        return;
    }
    if (edit->display) apply(way, *edit->display);
    stepped(way);
}

void EditDesk::stepped(Way way) {
    way == Way::Back ? m_history.steppedBack() : m_history.steppedForward();
    m_window.parameters().clearErrors();
    tell();
    emit steppedOver();
    goOn();
}

/// Applies only what the edit changed. Where it changed stages, links or views, it applies the
/// whole pipeline.
QString EditDesk::apply(Way way, const PipelineEdit& edit) {
    const SnapshotPtr from = way == Way::Back ? edit.after : edit.before;
    const SnapshotPtr to = way == Way::Back ? edit.before : edit.after;
    return m_means.attempt([&] {
        auto facts = m_session.spectrometer();
        if (from->input.spectrometer != to->input.spectrometer) {
            facts = to->input.spectrometer;
            if (facts == edit.own) facts = m_session.engine().info().frame.spectrometer;
        }
        const bool alike =
            sameGraph(*from, *to) && from->name == to->name && from->environment == to->environment;
        m_session.applyCalibration(
            std::move(facts), alike ? takenBack(*m_session.snapshot(), *to, *from) : toConfig(*to));
        m_origin = way == Way::Back ? edit.originBefore : edit.originAfter;
    });
}

/// Limits that the user did not change in this edit stay as they are.
void EditDesk::apply(Way way, const DisplayEdit& edit) {
    const DisplayChoice& from = way == Way::Back ? edit.after : edit.before;
    DisplayChoice next = way == Way::Back ? edit.before : edit.after;
    if (from.min == next.min && from.max == next.max) {
        next.min = m_display.min;
        next.max = m_display.max;
    }
    m_means.showDisplay(next);
    displayFollowed();
}

void EditDesk::reopen(Way way, const OpeningEdit& edit) {
    const auto state = way == Way::Back ? edit.before : edit.after;
    m_means.reopen(*state, [this, way, state, revision = m_history.revision()] {
        // Where the user has edited meanwhile, the list continues from that edit.
        if (revision != m_history.revision()) {
            m_target.reset();
            opened(state->asked);
            return;
        }
        m_stepping = true;
        opened(state->asked);
        m_stepping = false;
        m_origin = state->origin;
        m_means.showDisplay(state->display);
        displayFollowed();
        stepped(way);
    });
}

QString EditDesk::newest() const {
    const Edit* edit = m_history.toUndo();
    return edit != nullptr ? edit->what : QString();
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

void EditDesk::tell() {
    const Edit* undone = m_history.toRedo();
    m_window.edits().setUndo(newest());
    m_window.edits().setRedo(undone != nullptr ? undone->what : QString());
    m_window.edits().setHistory(m_history.details(), m_history.position());
    emit changed();
}

} // namespace echolux
