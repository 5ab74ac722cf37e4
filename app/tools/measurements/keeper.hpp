// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a recording's measurements: it follows their changes, so that none is lost.
#pragma once

#include "app/measure/measurement.hpp"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace echolux {

class Workbench;

/// Writes measurements beside their recording, a moment after each change, and before another
/// recording opens or the window closes. Where that is impossible (a folder that cannot be written,
/// a file that could not be read, a live source), it says so at once, and asks for a place at the
/// end.
class MeasurementKeeper : public QObject {
    Q_OBJECT
public:
    using Measurements = std::vector<measure::Measurement>;
    /// The place of the user's choice for measurements that cannot stay beside `recording`, for the
    /// reason `why`; nothing: they may go.
    using AskPlace = std::function<std::optional<std::filesystem::path>(
        const std::filesystem::path& recording, const std::string& why)>;

    MeasurementKeeper(QObject& parent, Workbench& bench);
    ~MeasurementKeeper() override; ///< writes what waits, without a question

    void setAskPlace(AskPlace ask) { m_ask = std::move(ask); }
    /// Ends with the former recording, and reads the measurements of the one that is open now.
    Measurements take();
    void follow(const Measurements& changed);
    /// Writes now. Asks where that is impossible.
    void end();
    /// Writes now, and says it.
    void save(const Measurements& now);

private:
    /// Why the file cannot be written; empty: it is written.
    std::string write();
    void writeOrWarn();

    Workbench& m_bench;
    AskPlace m_ask;
    QTimer m_soon;
    std::filesystem::path m_recording;
    std::filesystem::path m_file;
    std::string m_noPlace; ///< why the file must not be written; empty: it may be
    std::optional<Measurements> m_waiting;
    bool m_warned = false;
};

} // namespace echolux
