// SPDX-License-Identifier: GPL-3.0-or-later
// Power Doppler without a wall filter but the mean.
#include "app/desktop/order_previews.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/offline.hpp"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <optional>

namespace echolux {
namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20U;
constexpr std::int64_t kMostFrames = 16;
constexpr float kRangeDb = 40.0F;
constexpr std::array kPermuted{ArrayAxis::Frame, ArrayAxis::Depth, ArrayAxis::Lateral};

QString wordOf(ArrayAxis role) {
    return role == ArrayAxis::Frame ? "frame" : role == ArrayAxis::Depth ? "depth" : "line";
}

/// Of each pixel, [depth][line].
class PowerOfChange {
public:
    void add(const HostFrameData& frame) {
        const std::size_t each = isComplex(frame.spec.dtype) ? 2 : 1;
        std::vector<float> parts(frame.bytes.size() / sizeof(float));
        std::memcpy(parts.data(), frame.bytes.data(), parts.size() * sizeof(float));
        m_sums.resize(parts.size() / each);
        m_squares.resize(m_sums.size());
        for (std::size_t i = 0; i < m_sums.size(); ++i) {
            std::complex<double> value(parts[each * i], each == 2 ? parts[2 * i + 1] : 0.0F);
            if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) value = 0.0;
            m_sums[i] += value;
            m_squares[i] += std::norm(value);
        }
        ++m_frames;
    }
    /// The middle plane of volumes.
    QImage picture(int down, int across) const {
        const std::size_t plane = static_cast<std::size_t>(down) * static_cast<std::size_t>(across);
        const std::size_t first = m_sums.size() / plane / 2 * plane;
        std::vector<double> powers;
        for (std::size_t i = first; i < first + plane; ++i)
            powers.push_back(std::max(m_squares[i] - std::norm(m_sums[i]) / m_frames, 0.0));
        const double largest = std::ranges::max(powers);
        QImage image(across, down, QImage::Format_Grayscale8);
        for (int y = 0; y < down; ++y)
            for (int x = 0; x < across; ++x) {
                const double share =
                    largest > 0.0
                        ? powers[static_cast<std::size_t>(y) * static_cast<std::size_t>(across) +
                                 static_cast<std::size_t>(x)] /
                              largest
                        : 0.0;
                const double db = 10.0 * std::log10(std::max(share, 1e-12));
                image.scanLine(y)[x] = static_cast<uchar>(
                    255.0 * std::clamp(1.0 + db / static_cast<double>(kRangeDb), 0.0, 1.0));
            }
        return image;
    }

private:
    std::vector<std::complex<double>> m_sums;
    std::vector<double> m_squares;
    double m_frames = 0.0;
};

/// Null where a preview would take too much.
QImage powerOf(Recording& recording) {
    const FrameSpec& frame = recording.info().frame;
    const auto most =
        static_cast<std::int64_t>(kMostBytes / std::max<std::size_t>(frame.bytes(), 1));
    const std::int64_t frames = std::min({recording.info().frameCount, kMostFrames, most});
    if (frames < 2) return {};
    const SnapshotPtr chain = imagingSnapshot(frame, std::nullopt);
    PowerOfChange power;
    int down = 0;
    int across = 0;
    for (std::int64_t index = 0; index < frames; ++index) {
        const HostFrameData values =
            processFrame(recording, chain, Backend::Cpu, index, chain->stages.front().id);
        const Axis* depth = values.spec.find(AxisName::Depth);
        const Axis* lateral = values.spec.find(AxisName::Lateral);
        if (depth == nullptr || lateral == nullptr ||
            (values.spec.dtype != DType::F32 && values.spec.dtype != DType::ComplexF32))
            return {};
        down = static_cast<int>(depth->size);
        across = static_cast<int>(lateral->size);
        power.add(values);
    }
    return power.picture(down, across);
}

} // namespace

std::vector<OrderPreview> orderPreviews(const std::shared_ptr<const InputFile>& file,
                                        const std::shared_ptr<ArrayContainer>& container,
                                        const ImageImport& import) {
    std::vector<std::size_t> places;
    std::vector<ArrayAxis> own;
    for (std::size_t i = 0; i < import.axes.size(); ++i) {
        const auto role = import.axes[i].role;
        if (!role || std::ranges::find(kPermuted, *role) == kPermuted.end()) continue;
        places.push_back(i);
        own.push_back(*role);
    }
    std::vector<OrderPreview> found;
    if (own.size() != kPermuted.size()) return found;
    std::vector<ArrayAxis> order = own;
    std::ranges::sort(order);
    do {
        OrderPreview preview{import, {}, {}};
        QStringList words;
        for (std::size_t i = 0; i < places.size(); ++i) {
            preview.import.axes[places[i]].role = order[i];
            words << wordOf(order[i]);
        }
        const ImageFit fit = checkImageImport(preview.import, file->size());
        if (!fit.fits || fit.extents.frames < 2) continue;
        preview.power = powerOf(*openImageImport(file, preview.import, container));
        preview.text = words.join(", ");
        if (preview.power.isNull()) continue;
        found.insert(order == own ? found.begin() : found.end(), std::move(preview));
    } while (std::ranges::next_permutation(order).found);
    return found;
}

} // namespace echolux
