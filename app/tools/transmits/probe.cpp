// SPDX-License-Identifier: GPL-3.0-or-later
// Turns magnitudes of single transmits into levels of a picture.
#include "app/tools/transmits/probe.hpp"

#include "app/session/transmit_imager.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

/// Grey levels in steps of half a decibel below the image's own peak.
TransmitPicture pictureOf(const TransmitImage& image, const TransmitImages& all) {
    TransmitPicture picture{QImage(static_cast<int>(all.lateral.size),
                                   static_cast<int>(all.depth.size), QImage::Format_Grayscale8),
                            0.0};
    const float peak = *std::ranges::max_element(image.magnitude);
    picture.levels.fill(0);
    picture.peakDb = peak > 0.0F ? 20.0 * std::log10(static_cast<double>(peak)) : -1e3;
    if (!(peak > 0.0F)) return picture;
    const float perDecade = static_cast<float>(20.0 / TransmitPicture::kDbPerLevel);
    const float* pixel = image.magnitude.data();
    for (int row = 0; row < picture.levels.height(); ++row) {
        uchar* line = picture.levels.scanLine(row);
        for (int column = 0; column < picture.levels.width(); ++column, ++pixel) {
            const float level =
                *pixel > 0.0F ? 255.0F + perDecade * std::log10(*pixel / peak) : 0.0F;
            line[column] = static_cast<uchar>(std::lround(std::clamp(level, 0.0F, 255.0F)));
        }
    }
    return picture;
}

/// Aspect of the area that the pixels cover, not of the area between their centres.
double aspectOf(const TransmitImages& images) {
    return static_cast<double>(images.lateral.size) * images.lateral.spacing /
           (static_cast<double>(images.depth.size) * images.depth.spacing);
}

} // namespace

FrameProbe transmitsProbe(std::shared_ptr<TransmitImager> imager,
                          std::shared_ptr<const TransmitChain> chain,
                          std::vector<std::int64_t> transmits,
                          std::shared_ptr<TransmitBatch> batch) {
    batch->key = chain->key;
    return {.prepare = [imager, chain, transmits] { imager->prepare(*chain, transmits); },
            .take =
                [imager, batch](const ProbedFrame& frame) {
                    imager->take(frame.samples);
                    batch->frame = frame.index;
                    return true;
                },
            .compute =
                [imager, batch] {
                    const TransmitImages images = imager->image();
                    batch->aspect = aspectOf(images);
                    for (const TransmitImage& image : images.images)
                        batch->pictures.emplace_back(static_cast<int>(image.transmit),
                                                     pictureOf(image, images));
                },
            .accept = {}};
}

} // namespace echolux
