// SPDX-License-Identifier: GPL-3.0-or-later
// Long work off the window's thread: a strip tells of it, Cancel gives it up at once.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace echolux {

class ProgressStrip;

/// Each piece of work has a thread of its own. Work that cannot be interrupted runs on after it was
/// given up; what it made is thrown away.
class Background : public QObject {
    Q_OBJECT
public:
    /// What is left to do on the window's thread; may be empty, may throw.
    using Finish = std::function<void()>;
    using Work = std::function<Finish(const std::stop_token&)>;
    /// Tells how much of the work is done, 0 to 1; any thread.
    using Report = std::function<void(double)>;
    using ReportingWork = std::function<Finish(const std::stop_token&, const Report&)>;
    enum class Kind {
        Opening,   ///< a later one replaces the one before; given up when the window closes
        Saving,    ///< finished also after the window has closed
        Exporting, ///< given up when the window closes
        Quiet      ///< not shown, cannot be cancelled
    };

    explicit Background(ProgressStrip& strip);
    ~Background() override; ///< waits for everything

    void start(Kind kind, const QString& text, Work work);
    /// The same with a bar that fills.
    void startReporting(Kind kind, const QString& text, ReportingWork work);
    /// Lets it go on a thread of its own: its destructor may wait, as that of an engine does for a
    /// read in progress. Nothing: does nothing.
    void throwAway(std::shared_ptr<void> held);
    void cancel(); ///< what the strip tells of
    bool isOpening() const { return !underWay(Kind::Opening).isEmpty(); }
    /// What start() was told of each that was not given up, oldest first.
    QStringList underWay(Kind kind) const;

signals:
    void failed(const QString& sentence, echolux::Background::Kind kind);
    void ended(echolux::Background::Kind kind); ///< done or failed; before what is told of it

private:
    struct Job {
        std::uint64_t id = 0;
        Kind kind = Kind::Quiet;
        QString text;
        bool givenUp = false;
        double done = -1.0; ///< share of the work; negative: nobody tells
        std::jthread thread;
    };
    struct Result {
        Finish finish;
        QString sentence; ///< of an exception
    };
    void run(std::uint64_t id, const std::stop_token& stop, Work work);
    void finished(std::uint64_t id, Result& result);
    void progressed(std::uint64_t id, double done);
    void giveUp(Job& job);
    Job* shown();
    void showProgress();

    ProgressStrip& m_strip;
    std::list<Job> m_jobs; ///< oldest first; those given up stay until their threads end
    std::uint64_t m_lastId = 0;
};

} // namespace echolux
