// SPDX-License-Identifier: GPL-3.0-or-later
// The filter lab: tests interpolators beside the recording, and marks the one in use.
#pragma once

#include "app/lab/interpolator.hpp"
#include "app/lab/read_response.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/tools/filter_lab/image_comparer.hpp"
#include "ui/lab/filter_lab.hpp"

#include <QObject>

#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace echolux {

class FilterLabPanel;
class Workbench;
struct LabCurve;

/// Frequency band of the echoes in samples taken at `samplingHz` (0: unknown) and mixed down by
/// `demodulationHz`.
struct SampledBand {
    EchoBand band;
    double samplingHz = 0.0;
    double demodulationHz = 0.0;
};

/// Computes only while its dock is visible. A new test stops the former one.
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
    ImageComparer m_comparer;
    std::vector<lab::Interpolator> m_interpolators; ///< under test
    std::optional<lab::Interpolator> m_inUse;
    std::optional<SampledBand> m_recorded;
    std::optional<SampledBand> m_read; ///< band of the samples that the beamformer interpolates
    /// Responses at several fractions, kept for the interpolator and band that they are of.
    std::vector<lab::ReadResponse> m_family;
    std::optional<std::pair<lab::Interpolator, EchoBand>> m_familyOf;
    std::stop_source m_stop; ///< stops the running test
    bool m_stale = true;     ///< the shown curves are out of date, or none were computed
};

} // namespace echolux
