// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Aberration" at work: the shown frame's screen estimated in the background, the region
// as a box on the image, the correction on, off, beside or by turns.
#pragma once

#include "app/aberration/filter_file.hpp"
#include "app/desktop/workbench/probe_runner.hpp"
#include "app/pipeline/snapshot.hpp"
#include "ui/aberration/aberration_values.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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

/// The stages `aberration` and `aberration_correction` do the live work; this shows what the stage
/// found, with its steps and what it makes of the channels: only while its dock is in sight.
class AberrationTool : public QObject {
    Q_OBJECT
public:
    static constexpr int kBlinkMs = 330; ///< between with and without

    AberrationTool(AberrationPanel& panel, Workbench& bench);

    /// The filter that is shown, as .npz or .mat; returns why it failed, or nothing.
    QString saveFilter(const QString& path) const;
    /// Corrects by the filter of a file; returns why it does not, or nothing.
    QString loadFilter(const QString& path);
    void useEstimate(); ///< back from it
    /// Asked for since the window opened.
    int estimates() const { return m_runner.started(); }

private:
    /// What the worker made.
    struct Batch {
        std::string key = {};
        std::int64_t frame = -1;
        std::int64_t age = 0; ///< of the estimate, then
        std::optional<AberrationValues> values = {};
        aberration::FilterFile filter = {};
    };

    void forgetRecording();
    void syncFromPipeline();
    void syncChain();
    void syncCorrection(const Snapshot& snapshot);
    void syncFilter(const Snapshot& snapshot);
    void syncRegion(const Snapshot& snapshot);
    void showRegion(bool shown);
    void editRegion(const Rect& box);
    void editBand(double centreMhz, double widthMhz);
    using Named = std::pair<const char*, double>;
    void editTogether(const QString& what, const QString& merged, std::span<const Named> values);
    void correct(Correction correction);
    void setStrength(double strength);
    void split();
    bool join();
    void blink();
    void stopBlinking();
    void requestEstimate();
    void estimateIfStale();
    void estimate();
    void show(const Batch& batch, const std::string& problem);
    void showAge();
    void chooseFilterFile();
    void chooseLoadedFilter();

    AberrationPanel& m_panel;
    Workbench& m_bench;
    ProbeRunner m_runner;
    QTimer m_blinking;
    QElapsedTimer m_clock;                            ///< of the running plots
    std::shared_ptr<AberrationEstimator> m_estimator; ///< the worker's, while it works
    std::shared_ptr<const AberrationChain> m_chain;   ///< null: nothing is estimated
    std::vector<std::string> m_correctors; ///< of echoes and of waves, in the graph's order
    std::optional<double> m_blinkStrength; ///< while it blinks: that of "with"
    double m_lastStrength = 1.0;           ///< that "on" goes back to
    bool m_regionShown = false;
    aberration::FilterFile m_filter; ///< that is shown
    std::string m_madeKey;           ///< of the values that are shown
    std::int64_t m_madeFrame = -1;   ///< that was looked at
    std::int64_t m_madeAge = 0;      ///< of the estimate, then
};

} // namespace echolux
