// SPDX-License-Identifier: GPL-3.0-or-later
// A tool's request for one look at the shown image, and the latest answer.
#pragma once

#include "app/session/stream/mailbox.hpp"
#include "gpu/stage/stage.hpp"

#include <algorithm>
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

/// Each request is answered once. `Answer::asked` is the request, an `Asked`.
template <class Asked, class Answer> class LookRequest {
public:
    // Any thread.
    /// Asks for one look at the image that is shown by then. Null takes an unanswered request back.
    void want(const std::optional<Asked>& request) {
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

protected:
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

} // namespace echolux
