// SPDX-License-Identifier: GPL-3.0-or-later
// What the entries of a session ask for, and who does it: a replay, a window, a script.
#pragma once

#include "app/replay/session_text.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// A recording and how it is read. Paths are absolute.
struct SessionRecording {
    std::filesystem::path file; ///< or the address of a live source
    std::filesystem::path sidecar = {};
    std::filesystem::path calibration = {};
    int track = 0;           ///< from 1; 0: the reader chooses
    std::string sha256 = {}; ///< see fileSha256(); empty: unknown
    bool operator==(const SessionRecording&) const = default;
};

struct ParameterChange {
    std::string stage;
    std::string key;
    std::optional<std::string> value; ///< empty: the default
    bool operator==(const ParameterChange&) const = default;
};

class SessionTarget {
public:
    virtual ~SessionTarget() = default;

    // Each throws Error where it cannot be done; the entry then counts as not done.
    virtual void open(const SessionRecording& recording) = 0;
    /// A shipped name, as it is fitted to the recording, or the path of a file.
    virtual void usePipeline(const std::string& name) = 0;
    virtual void usePipelineText(const std::string& toml) = 0;
    virtual void useCalibration(const std::string& toml) = 0; ///< empty: the recording's own
    virtual void set(const std::vector<ParameterChange>& changes) = 0; ///< all at once
    virtual void bypass(const std::string& stage, bool off) = 0;
    virtual void display(const std::string& key, const std::string& value) = 0;
    virtual void show(std::int64_t frame, std::int64_t bscan) = 0; ///< both from 0; stands still
    /// The image of the view had values of this digest, on the session's backend.
    virtual void check(const std::string& view, const std::string& digest) = 0;
    virtual void command(const std::string& id) = 0; ///< an entry of the window's menus
    /// A part of the document, by its name and text; see DocumentPart::Words.
    virtual void part(const std::string& name, const std::string& text) = 0;
    virtual void views(const std::string& json) = 0;    ///< what is looked at, and how
    virtual void layout(const std::string& base64) = 0; ///< places of the docks
};

/// Reads entries and hands them to a target.
class SessionPerformer {
public:
    /// Paths in the session are relative to `folder`.
    SessionPerformer(SessionTarget& target, std::filesystem::path folder)
        : m_target(target), m_folder(std::move(folder)) {}

    /// Throws Error of the target, or where the entry is wrong.
    void perform(const SessionEntry& entry);
    const std::string& backend() const { return m_backend; } ///< empty: the session says none

private:
    std::filesystem::path pathOf(const SessionEntry& entry) const;
    std::string pipelineOf(const SessionEntry& entry) const;
    void openRecording(const SessionEntry& entry);
    void check(const SessionEntry& entry);
    void setParameter(const SessionEntry& entry);
    void setParameters(const SessionEntry& entry);

    SessionTarget& m_target;
    std::filesystem::path m_folder;
    SessionRecording m_next; ///< what the next opening uses
    std::int64_t m_bscan = 0;
    std::string m_backend;
};

} // namespace echolux
