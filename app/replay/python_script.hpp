// SPDX-License-Identifier: GPL-3.0-or-later
// A session as a Python script that does the same through the package `echolux`.
#pragma once

#include "app/replay/replayer.hpp"

#include <string>
#include <vector>

namespace echolux {

/// Replays a session, and writes each step down in Python.
class PythonScript : public SessionTarget {
public:
    explicit PythonScript(Replayer& replayer) : m_replayer(replayer) {}
    std::string text() const;

    void open(const SessionRecording& recording) override;
    void usePipeline(const std::string& name) override;
    void usePipelineText(const std::string& toml) override;
    void useCalibration(const std::string& toml) override;
    void set(const std::vector<ParameterChange>& changes) override;
    void bypass(const std::string& stage, bool off) override;
    void display(const std::string& key, const std::string& value) override;
    void show(std::int64_t frame, std::int64_t bscan) override;
    void check(const std::string& view, const std::string& digest) override;
    void command(const std::string& id) override;
    void part(const std::string& name, const std::string& text) override;
    void views(const std::string& json) override { m_replayer.views(json); }
    void layout(const std::string& base64) override { m_replayer.layout(base64); }

private:
    void line(const std::string& text) { m_lines += text + '\n'; }
    void openAgain(const std::string& calibration);
    void plan(const std::string& pipeline);

    Replayer& m_replayer;
    SessionRecording m_recording;
    std::string m_lines;
};

} // namespace echolux
