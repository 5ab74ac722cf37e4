// SPDX-License-Identifier: GPL-3.0-or-later
// Searches dispersion terms on a thread of its own and reports the trials.
#pragma once

#include "app/calibration/sharpness_probe.hpp"
#include "app/session/prepared_engine.hpp"

#include <QObject>
#include <QString>
#include <QVector>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace echolux {

class DispersionFinder : public QObject {
    Q_OBJECT
public:
    struct Task {
        std::shared_ptr<Engine> engine; ///< provides the shown raw frame
        OpenRequest recording;          ///< further frames are read from this file
        SnapshotPtr chain;
        EnginePlace place = Backend::Cpu;
        ImageRegion region;
        SharpnessMetric metric = SharpnessMetric::Contrast;
        bool quartic = false;
        int frames = 1; ///< number of frames, spread over the recording from the shown one on
        std::optional<DispersionTerms> present; ///< terms in force, for comparison
    };
    struct Outcome {
        DispersionFound found;
        std::optional<double> before; ///< sharpness with Task::present
    };
    /// Trials since the last report.
    struct Trials {
        QVector<double> numbers, sharpness, best;
        DispersionTerms terms{}; ///< best terms so far
        double progress = 0.0;
    };

    explicit DispersionFinder(QObject* parent = nullptr);
    ~DispersionFinder() override;

    /// Both return at once. The search under way reports nothing any more; its thread ends after
    /// the current trial or read.
    void start(Task task);
    void cancel();
    bool isBusy() const { return m_busy; }

signals:
    void tried(const echolux::DispersionFinder::Trials& trials);
    void found(const echolux::DispersionFinder::Outcome& outcome);
    void failed(const QString& sentence);

private:
    struct Search {
        std::uint64_t id = 0;
        std::jthread thread;
    };
    void ended(std::uint64_t id);
    void run(std::uint64_t id, const Task& task, const std::stop_token& stop);
    bool noteTrial(std::uint64_t id, const DispersionTrial& trial, const std::stop_token& stop);
    void deliverTrials();
    /// Calls on the window's thread, unless another search has begun or this one was cancelled.
    template <class Call> void tell(std::uint64_t id, Call call);

    bool m_busy = false;
    std::uint64_t m_id = 0;        ///< number of the search that may report
    std::mutex m_mutex;            ///< guards the next two
    Trials m_waiting;              ///< trials not reported yet
    std::uint64_t m_waitingOf = 0; ///< number of the search that may add to m_waiting
    std::list<Search> m_searches;  ///< must stay the last member: their threads call this object
};

} // namespace echolux
