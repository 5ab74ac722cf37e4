// SPDX-License-Identifier: GPL-3.0-or-later
// Compares states after each change, and keeps the difference.
#include "app/desktop/session_recorder.hpp"

#include "app/dataset/calibration/calibration.hpp"
#include "app/desktop/display_fields.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/session/session.hpp"
#include "gpu/core/failure_text.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/controls/commands_of.hpp"

#include <QAction>
#include <QMainWindow>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace echolux {
namespace {

using namespace session_words;

/// True for commands of the window that leave nothing else in a session.
bool isOfTheWindow(const QString& id) {
    constexpr std::array kTold{"image.auto_range", "image.next_colour_map"};
    return (id.startsWith("view.") || id.startsWith("image.")) &&
           std::ranges::find(kTold, id) == kTold.end();
}

std::filesystem::path absolute(const std::optional<std::filesystem::path>& path) {
    return path ? std::filesystem::absolute(*path) : std::filesystem::path();
}

/// The names of the values that an entry sets.
std::vector<std::string> namesIn(const SessionEntry& entry) {
    if (entry.id != kParameters) return {entry.id};
    std::vector<std::string> names;
    std::istringstream lines(entry.text);
    for (std::string line; std::getline(lines, line);)
        names.push_back(std::string(kParameters) + '.' + line.substr(0, line.find(' ')));
    return names;
}

/// True where `later` sets all that `earlier` has set.
bool covers(std::span<const SessionEntry> later, std::span<const SessionEntry> earlier) {
    std::set<std::string> names;
    for (const SessionEntry& each : later)
        for (std::string& name : namesIn(each)) names.insert(std::move(name));
    return std::ranges::all_of(earlier, [&](const SessionEntry& each) {
        return std::ranges::all_of(namesIn(each),
                                   [&](const std::string& name) { return names.contains(name); });
    });
}

std::vector<SessionEntry> entriesOf(const StillImages& images, bool isVolume) {
    std::vector<SessionEntry> entries;
    if (isVolume) entries.push_back({.id = kBscan, .value = std::to_string(images.bscan + 1)});
    entries.push_back({.id = kFrame, .value = std::to_string(images.frame + 1)});
    for (const auto& [view, digest] : images.digests)
        entries.push_back({.id = kValues, .value = view + ' ' + digest});
    return entries;
}

} // namespace

SessionState sessionStateOf(EditDesk& edits) {
    const RecordingState now = edits.recordingState();
    SessionState state;
    const OpenOptions& options = now.asked.options;
    state.recording = {now.asked.isLive() ? now.asked.file : absolute(now.asked.file),
                       absolute(options.sidecar), absolute(options.calibration),
                       options.track ? static_cast<int>(*options.track) + 1 : 0};
    state.pipeline = now.pipeline;
    if (now.calibration) state.calibration = toToml(*now.calibration);
    state.display = displayTexts(now.display);
    for (const DocumentPart& part : edits.document().parts())
        if (!part.words.name.empty()) state.parts[part.words.name] = part.words.text();
    return state;
}

std::vector<SessionEntry> openingEntries(const SessionState& state, Session& session,
                                         const std::filesystem::path& folder) {
    const auto shipped = shippedLike(state.pipeline, session.recording().frame);
    std::vector<SessionEntry> entries{
        {.id = kBackend, .value = std::string(nameOf(session.backend().backend))}};
    std::ranges::move(openingEntries(state, shipped, folder), std::back_inserter(entries));
    return entries;
}

SessionRecorder::SessionRecorder(QMainWindow& window, Session& session, EditDesk& edits)
    : m_window(window), m_session(session), m_edits(edits), m_still(session) {
    constexpr int kQuietMs = 300;
    m_untilWritten.setSingleShot(true);
    m_untilWritten.setInterval(kQuietMs);
    connect(&m_untilWritten, &QTimer::timeout, this, [this] {
        try {
            write();
        } catch (const std::exception& error) {
            m_path.clear();
            emit failed("The session is no longer recorded. " +
                        QString::fromStdString(failureText(error)));
        }
    });
    connect(&edits, &EditDesk::changed, this, &SessionRecorder::followEdits);
}

SessionRecorder::~SessionRecorder() {
    try {
        end();
    } catch (const std::exception&) { // the window closes
    }
}

void SessionRecorder::begin(const QString& path) {
    m_entries.clear();
    m_seen.clear();
    m_told.reset();
    m_path = path;
    try {
        write();
    } catch (...) {
        m_path.clear();
        throw;
    }
    listen();
    m_still.forget();
    tellOpening();
}

void SessionRecorder::end() {
    if (!isOn()) return;
    m_untilWritten.stop();
    writeWhole(std::exchange(m_path, {}).toStdString(), toText(m_entries));
}

/// Menus that are made anew are not heard: of their entries no name is promised.
void SessionRecorder::listen() {
    for (const Command& each : commandsOf(m_window)) {
        if (!isOfTheWindow(each.id)) continue;
        disconnect(each.action, &QAction::triggered, this, nullptr);
        connect(each.action, &QAction::triggered, this, [this, id = each.id.toStdString()] {
            if (isOn()) add({SessionEntry{.id = id}});
        });
    }
}

/// Later, because an opening of the undo list restores its state after this call.
void SessionRecorder::recordingOpened() {
    m_still.forget();
    QMetaObject::invokeMethod(this, &SessionRecorder::tellOpening, Qt::QueuedConnection);
}

void SessionRecorder::tellOpening() {
    if (!isOn() || !m_session.isOpen() || m_told.lock() == m_session.shared()) return;
    m_told = m_session.shared();
    m_state = sessionStateOf(m_edits);
    add(openingEntries(m_state, m_session,
                       std::filesystem::absolute(m_path.toStdString()).parent_path()));
}

void SessionRecorder::followEdits() {
    if (!isOn() || !m_session.isOpen()) return;
    SessionState now = sessionStateOf(m_edits);
    if (now.recording != m_state.recording) return; // recordingOpened() comes
    std::vector<SessionEntry> entries = entriesBetween(m_state, now);
    m_state = std::move(now);
    if (entries.empty()) return;
    const std::size_t position = m_edits.document().position();
    if (position == m_position && m_gesture <= m_entries.size()) {
        // What a drag has passed through is left out, where the new values replace all of it.
        const auto passed = std::span(m_entries).last(m_gesture);
        if (covers(entries, passed)) m_entries.resize(m_entries.size() - m_gesture);
    }
    const std::size_t count = entries.size();
    add(std::move(entries));
    m_position = position;
    m_gesture = count;
}

void SessionRecorder::lookAround() {
    if (!isOn()) return;
    const auto images = m_still.poll();
    if (!images) return;
    auto entries = entriesOf(*images, bscansIn(m_session.snapshot()->output()) > 1);
    if (entries == m_seen && m_entries.back() == m_seen.back()) return;
    m_seen = entries;
    add(std::move(entries));
}

void SessionRecorder::add(std::vector<SessionEntry> entries) {
    std::ranges::move(entries, std::back_inserter(m_entries));
    m_gesture = 0;
    m_untilWritten.start();
}

void SessionRecorder::write() { writeWhole(m_path.toStdString(), toText(m_entries)); }

} // namespace echolux
