// SPDX-License-Identifier: GPL-3.0-or-later
// Looks by their requests: answered once, or again and again until they are taken back.
#pragma once

#include "app/session/look/look.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace echolux {

/// One plane of an f32 image in compute memory.
struct ShownPlane {
    const float* pixels = nullptr; ///< null: the image has no such pixels
    std::int64_t count = 0;

    /// The B-scan of that number, or the nearest one.
    static ShownPlane of(const ConstTensorView& image, std::int64_t bscan) {
        if (image.data == nullptr || image.spec->dtype != DType::F32) return {};
        const std::int64_t bscans = bscansIn(*image.spec);
        const std::int64_t count = image.spec->count() / bscans;
        const std::int64_t number = std::clamp<std::int64_t>(bscan, 0, bscans - 1);
        return {static_cast<const float*>(image.data) + number * count, count};
    }
};

/// A request and the latest answer. `Answer::asked` is the request, an `Asked`.
template <class Asked, class Answer> class LookRequest {
public:
    // Any thread.
    void want(const Asked& request) {
        const std::lock_guard lock(m_mutex);
        m_wanted = request;
    }
    bool isWanted() const {
        const std::lock_guard lock(m_mutex);
        return m_wanted.has_value();
    }
    /// Null before the first answer. The same object until there is another.
    std::shared_ptr<const Answer> latest() const {
        const std::lock_guard lock(m_mutex);
        return m_latest;
    }

    // Pipeline thread.
    void imageCame() { m_stale = true; }
    /// The request. Null where there is none, or where the latest answer is of this image.
    std::optional<Asked> take(std::int64_t bscan) {
        const std::lock_guard lock(m_mutex);
        std::optional<Asked> wanted = std::exchange(m_wanted, std::nullopt);
        const bool same = m_latest && wanted && m_latest->asked == *wanted;
        if (same && !m_stale && m_bscan == bscan) return std::nullopt;
        return wanted;
    }
    void answer(std::int64_t bscan, std::shared_ptr<const Answer> made) {
        m_stale = false;
        m_bscan = bscan;
        const std::lock_guard lock(m_mutex);
        m_latest = std::move(made);
    }

private:
    bool m_stale = true;       ///< an image has come since the latest answer
    std::int64_t m_bscan = -1; ///< of the latest answer

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<Asked> m_wanted;
    std::shared_ptr<const Answer> m_latest;
};

/// Answers each request once. Tools ask a few times per second, and only while they are in sight.
template <class Asked, class Answer> class AskedLook : public Look {
public:
    explicit AskedLook(const LookPlace& place) : m_wake(place.wake) {}

    // Any thread.
    /// Asks for one look at the images that are shown by then.
    void want(const Asked& request) {
        m_request.want(request);
        m_wake();
    }
    std::shared_ptr<const Answer> latest() const { return m_request.latest(); }

    void imageCame(std::int64_t) override { m_request.imageCame(); }
    std::optional<Clock::time_point> due() const override {
        return m_request.isWanted() ? std::optional(Clock::time_point()) : std::nullopt;
    }
    bool run(const LookFrame& frame) override {
        if (const auto wanted = m_request.take(frame.bscan))
            if (auto answer = look(*wanted, frame))
                m_request.answer(frame.bscan, std::move(answer));
        return false;
    }

protected:
    /// Pipeline thread. Null: nothing can be seen. An image that was looked at in the same way is
    /// not looked at again.
    virtual std::shared_ptr<const Answer> look(const Asked& wanted, const LookFrame& frame) = 0;

private:
    std::function<void()> m_wake;
    LookRequest<Asked, Answer> m_request;
};

/// Answers a request as soon as it comes, and anew as images come, at most ten times a second.
template <class Asked, class Answer> class StandingLook : public Look {
public:
    explicit StandingLook(const LookPlace& place) : m_wake(place.wake) {}

    // Any thread.
    /// Null takes the request and the answer back. The same request again changes nothing.
    void want(const std::optional<Asked>& request) {
        {
            const std::lock_guard lock(m_mutex);
            if (request == m_wanted) return;
            m_wanted = request;
            m_isNew = request.has_value();
            if (!request) m_latest.reset();
        }
        m_wake();
    }
    /// Answers the request anew, without waiting for an image.
    void refresh() {
        {
            const std::lock_guard lock(m_mutex);
            m_isNew = m_wanted.has_value();
        }
        m_wake();
    }
    /// Null before the first answer. The same object until there is another.
    std::shared_ptr<const Answer> latest() const {
        const std::lock_guard lock(m_mutex);
        return m_latest;
    }

    void imageCame(std::int64_t) override { m_stale = true; }
    std::optional<Clock::time_point> due() const override {
        const std::lock_guard lock(m_mutex);
        if (m_isNew) return Clock::time_point();
        return m_wanted && m_stale ? std::optional(m_lastRun + kPeriod) : std::nullopt;
    }
    bool run(const LookFrame& frame) override {
        std::optional<Asked> wanted;
        {
            const std::lock_guard lock(m_mutex);
            m_isNew = false;
            wanted = m_wanted;
        }
        m_stale = false;
        if (!wanted) return false;
        m_lastRun = Clock::now();
        auto answer = look(*wanted, frame);
        const std::lock_guard lock(m_mutex);
        if (answer == nullptr || m_wanted != wanted) return false;
        m_latest = std::move(answer);
        return true;
    }

protected:
    /// Pipeline thread. Null: nothing can be seen.
    virtual std::shared_ptr<const Answer> look(const Asked& wanted, const LookFrame& frame) = 0;

private:
    static constexpr auto kPeriod = std::chrono::milliseconds(100);

    std::function<void()> m_wake;
    Clock::time_point m_lastRun; // pipeline thread
    bool m_stale = false;        ///< an image has come since run()

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<Asked> m_wanted;
    bool m_isNew = false; ///< the request came since run()
    std::shared_ptr<const Answer> m_latest;
};

} // namespace echolux
