// SPDX-License-Identifier: GPL-3.0-or-later
// Waits of tests with widgets: until something is so, or until nothing is under way.
#pragma once

#include <QElapsedTimer>
#include <QGuiApplication>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace echolux::testing_support {

/// Long enough for a busy machine. Nothing should take as long.
constexpr int kPatienceMs = 20000;

inline bool comesTrue(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kPatienceMs);
}

/// Counts the events that reach objects of the window's thread.
class EventCount : public QObject {
public:
    EventCount() { qApp->installEventFilter(this); }
    int sinceLast() { return std::exchange(m_count, 0); }

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* /*event*/) override {
        ++m_count;
        return false;
    }

private:
    int m_count = 0;
};

/// Delivers events until none is left, neither here nor in the X server: widgets are laid out, have
/// moved and are drawn, and queued calls are made. Timers that still run are not waited for, nor
/// are other threads.
inline void settle() {
    constexpr int kStillRounds = 3; // an answer of the X server may come a round late
    QElapsedTimer clock;
    clock.start();
    EventCount events;
    for (int still = 0; still < kStillRounds;) {
        QGuiApplication::sync();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        still = events.sinceLast() == 0 ? still + 1 : 0;
        if (clock.elapsed() > kPatienceMs) {
            ADD_FAILURE() << "Events go on and on.";
            return;
        }
    }
}

/// Whether a timer of `object` is about to fire.
inline bool isTimed(const QObject& object) {
    const QList<QTimer*> timers =
        object.findChildren<QTimer*>(QString(), Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(timers, &QTimer::isActive);
}

} // namespace echolux::testing_support
