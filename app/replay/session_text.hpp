// SPDX-License-Identifier: GPL-3.0-or-later
// A session as a text: a line for each thing that was done, with a name that stays and a value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// "parameters.beamform.f_number 1.5"; names of the window's commands are those of its menus.
struct SessionEntry {
    std::string id;
    std::string value = {}; ///< the rest of the line
    std::string text = {};  ///< the indented lines below it, without their indentation
    int line = 0;           ///< in the file, from 1; 0: unknown

    bool operator==(const SessionEntry& other) const {
        return id == other.id && value == other.value && text == other.text;
    }
};

/// Names of entries that are no commands of menus. Frames and B-scans count from 1.
namespace session_words {
inline constexpr const char* kBackend = "session.backend"; ///< that computed what was seen
// The next kOpen uses what these say.
inline constexpr const char* kSidecar = "recording.sidecar";
inline constexpr const char* kCalibrationFile = "recording.calibration";
inline constexpr const char* kTrack = "recording.track";
inline constexpr const char* kSha256 = "recording.sha256"; ///< of the file that is opened
inline constexpr const char* kOpen = "recording.open";
inline constexpr const char* kPipeline = "pipeline.open"; ///< a shipped name, or a file
inline constexpr const char* kPipelineText = "pipeline.text";
inline constexpr const char* kCalibration = "calibration.text"; ///< empty: the recording's own
/// "parameters.STAGE.KEY VALUE"; no value: the default. Alone, with lines "STAGE.KEY VALUE" below
/// it: all at once.
inline constexpr const char* kParameters = "parameters";
inline constexpr const char* kBypass = "bypass";        ///< in place of a key: "on" or "off"
inline constexpr const char* kDisplay = "display";      ///< "display.gamma 1.2"
inline constexpr const char* kFrame = "playback.frame"; ///< the image stands still there
inline constexpr const char* kBscan = "playback.bscan"; ///< before kFrame
inline constexpr const char* kPart = "document"; ///< "document.measurements", with its text below
inline constexpr const char* kViews = "views.look";
inline constexpr const char* kLayout = "window.layout";
inline constexpr const char* kValues = "image.values"; ///< "VIEW SHA256": what was seen
} // namespace session_words

/// Throws Error that names `origin` and the line.
std::vector<SessionEntry> parseSession(std::string_view text, const std::string& origin);
/// The lines of a session without its first one.
std::vector<SessionEntry> parseEntries(std::string_view text, const std::string& origin,
                                       int firstLine = 1);
/// Reads the file. Throws Error.
std::vector<SessionEntry> loadSession(const std::string& path);
/// One entry as a line of a session: what scripts send. Throws Error, too, where it holds a control
/// character.
SessionEntry parseEntry(std::string_view line);

/// Whether lines below the entry belong to it.
bool takesText(std::string_view id);

/// Throws Error where a value begins or ends with a space or holds a control character: no line
/// says that.
std::string toText(const SessionEntry& entry);
std::string toText(std::span<const SessionEntry> entries);

/// SHA-256 of float values in memory order, in hexadecimal digits.
std::string digestOf(std::span<const float> values);

} // namespace echolux
