// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Aberration": estimates the screen of the shown frame in the background, shows the
// region as a box on the image, and switches the correction (on, off, side by side, alternating).
#pragma once

#include "app/aberration/filter_file.hpp"
#include "app/desktop/workbench/probe_runner.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/aberration_parts.hpp"
#include "ui/aberration/aberration_values.hpp"
#include "ui/views/overlay/box_overlay.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class AberrationEstimator;
class AberrationPanel;
class Workbench;
enum class Correction;
struct AberrationChain;
struct Rect;
struct Statistics;

/// The live work is done by the stages `aberration` and `aberration_correction`. This tool shows
/// the stage's estimate, the steps of its iteration and the corrected channels, only while its dock
/// is visible.
class AberrationTool : public QObject {
    Q_OBJECT
public:
    static constexpr int kBlinkMs = 330; ///< period of alternating with and without correction

    AberrationTool(AberrationPanel& panel, Workbench& bench);

    /// Saves the shown filter as .npz or .mat. Returns why it failed, or nothing.
    QString saveFilter(const QString& path,
                       aberration::FilterNaming naming = aberration::FilterNaming::Plain) const;
    /// Saves the steps of the shown iteration as .gif, .mp4 or .webm. Returns why it failed, or
    /// nothing.
    QString saveCine(const QString& path) const;
    /// Corrects with the filter in a file. Returns why it cannot, or nothing.
    QString loadFilter(const QString& path);
    void useEstimate(); ///< corrects with the live estimate again
    /// Number of estimates started since the window opened.
    int estimates() const { return m_runner.started(); }

private:
    /// Result of one probe.
    struct Batch {
        std::string key = {};
        std::int64_t frame = -1;
        std::int64_t age = 0; ///< age of the estimate at that frame
        std::optional<AberrationValues> values = {};
        aberration::FilterFile filter = {};
        std::vector<aberration::Step> steps = {};
        std::string timedKey = {};               ///< what `parts` depend on
        std::optional<EstimateParts> parts = {}; ///< empty: not measured anew
    };

    void forgetRecording();
    void openForCube();
    void syncFromPipeline();
    void syncChain();
    void syncCorrection(const Snapshot& snapshot);
    void syncFilter(const Snapshot& snapshot);
    void syncRegion(const Snapshot& snapshot);
    void showRegion(bool shown);
    void editRegion(const Rect& box);
    void editBand(double centreMhz, double widthMhz);
    void editTogether(const StageState& stage, const QString& what,
                      const std::vector<std::pair<std::string, double>>& values);
    void correct(Correction correction);
    void setStrength(double strength);
    void split();
    bool join();
    void blink();
    void stopBlinking();
    void requestEstimate();
    void estimateIfStale();
    void estimate();
    void show(Batch& batch, const std::string& problem);
    void showAge();
    void showTimes(const Statistics& now);
    void chooseFilterFile(aberration::FilterNaming naming);
    void chooseLoadedFilter();
    void chooseCineFile();

    AberrationPanel& m_panel;
    Workbench& m_bench;
    ProbeRunner m_runner;
    QTimer m_blinking{this};
    QElapsedTimer m_clock;                            ///< time axis of the running plots
    std::shared_ptr<AberrationEstimator> m_estimator; ///< used by the worker while it works
    std::shared_ptr<const AberrationChain> m_chain;   ///< null: nothing is estimated
    /// Ids of the stages that correct echoes or waves, in the graph's order.
    std::vector<std::string> m_correctors;
    std::optional<double> m_blinkStrength; ///< while alternating: the strength of "with"
    double m_lastStrength = 1.0;           ///< strength that "on" restores
    BoxOverlay m_region{[this](const Rect& box) { editRegion(box); }};
    bool m_regionShown = false;
    aberration::FilterFile m_filter;       ///< the filter that is shown
    std::vector<aberration::Step> m_steps; ///< of the iteration that is shown
    std::string m_madeKey;                 ///< AberrationChain::key of the shown values
    std::int64_t m_madeFrame = -1;         ///< frame of the shown values
    std::int64_t m_madeAge = 0;            ///< age of the estimate at that frame
    std::string m_timedKey;                ///< Batch::timedKey of the shown times of parts
};

} // namespace echolux
