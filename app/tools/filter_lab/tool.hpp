// SPDX-License-Identifier: GPL-3.0-or-later
// The filter lab at work: interpolators tested beside the recording, the one in use among them.
#pragma once

#include "app/lab/interpolator.hpp"
#include "app/pipeline/snapshot.hpp"
#include "ui/lab/filter_lab.hpp"

#include <QObject>

#include <optional>
#include <stop_token>
#include <vector>

namespace echolux {

class FilterLabPanel;
class Workbench;
struct LabCurve;

/// Where echoes lie among samples taken `samplingHz` times a second (0: nobody knows) and mixed
/// down by `demodulationHz`.
struct SampledBand {
    EchoBand band;
    double samplingHz = 0.0;
    double demodulationHz = 0.0;
};

/// Computes only while its dock is in sight; a test that another has replaced is stopped.
class FilterLabTool : public QObject {
    Q_OBJECT
public:
    FilterLabTool(FilterLabPanel& panel, Workbench& bench);
    ~FilterLabTool() override;

private:
    void syncFromPipeline();
    void lookAtPipeline(const Snapshot& snapshot);
    void showBands();
    LabSampling sampling() const;
    void showCurves();
    void test();
    void respond();
    std::vector<LabCurve> curves() const;

    FilterLabPanel& m_panel;
    Workbench& m_bench;
    std::vector<lab::Interpolator> m_interpolators; ///< under test
    std::optional<lab::Interpolator> m_inUse;
    std::optional<SampledBand> m_recorded;
    std::optional<SampledBand> m_read; ///< where the echoes lie that are read between samples
    std::stop_source m_stop;           ///< of the test under way
    bool m_stale = true;               ///< what is shown, or was never computed
};

} // namespace echolux
