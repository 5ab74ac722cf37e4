// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers a camera's frames without end. GigE Vision counts frames from 1 to 65535, and then begins
// with 1 again.
#pragma once

#include <cstdint>
#include <optional>

namespace echolux {

class CameraFrameNumbers {
public:
    /// The number of the frame that the camera calls `id`: 0 for the first one. A gap is a loss. A
    /// camera that begins anew, or does not count, goes on with the next number.
    std::int64_t next(std::uint64_t id) {
        constexpr std::uint64_t kLastOf16Bits = 65535;
        m_countsFrom0 = m_countsFrom0 || id == 0;
        if (m_last) {
            const std::uint64_t period = kLastOf16Bits + (m_countsFrom0 ? 1 : 0);
            const bool isRound =
                id<*m_last&& * m_last <= kLastOf16Bits&& * m_last - id> kLastOf16Bits / 2;
            if (id > *m_last)
                m_number += static_cast<std::int64_t>(id - *m_last);
            else
                m_number += isRound ? static_cast<std::int64_t>(id + period - *m_last) : 1;
        }
        m_last = id;
        return m_number;
    }

private:
    std::optional<std::uint64_t> m_last; ///< as the camera calls it
    std::int64_t m_number = 0;
    bool m_countsFrom0 = false;
};

} // namespace echolux
