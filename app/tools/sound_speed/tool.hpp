// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Speed of sound": estimates it of shown frames in the background, and takes it over.
#pragma once

#include "app/desktop/workbench/probe_runner.hpp"
#include "gpu/sound_speed/speed_search.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

class SpeedPanel;
class Workbench;

/// Works only while the dock is in sight.
class SpeedTool : public QObject {
    Q_OBJECT
public:
    SpeedTool(SpeedPanel& panel, Workbench& bench);

private:
    struct Job; ///< what the worker uses
    void forget();
    void request();
    void estimateIfNew();
    void accept(const sound_speed::Estimate& found, std::int64_t frame);
    void followPipeline();
    void use();

    SpeedPanel& m_panel;
    Workbench& m_bench;
    ProbeRunner m_runner;
    std::shared_ptr<Job> m_job;
    std::vector<sound_speed::Estimate> m_last; ///< of the last frames, oldest first
    std::int64_t m_shown = -1;                 ///< the frame of the newest
    std::string m_refused; ///< why this recording has no estimate; empty: it may have
};

} // namespace echolux
