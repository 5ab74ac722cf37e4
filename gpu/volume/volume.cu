// SPDX-License-Identifier: GPL-3.0-or-later
// Tier A functors of the volume, one per voxel or per line.
#include "gpu/volume/volume.hpp"

#include "gpu/exec/for_each.hpp"

#include <algorithm>

namespace echolux {
namespace {

struct Fill {
    Half* out;
    Half value;
    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = value; }
};

struct StoreVoxel {
    const float* frame;
    Half* volume;
    std::int64_t slice;
    std::int64_t bscans;
    std::int64_t first;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t bscan = (first + i / slice) % bscans;
        volume[bscan * slice + i % slice] = toHalf(frame[i]);
    }
};

/// Neighbouring threads read neighbours along lateral. Neighbours along depth write each line of
/// the volume.
struct StoreTurnedVoxel {
    const float* frame;
    Half* volume;
    std::int64_t lines;
    std::int64_t bins;
    std::int64_t bscans;
    std::int64_t first;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / lines;
        const std::int64_t bscan = (first + row / bins) % bscans;
        volume[(bscan * lines + i % lines) * bins + row % bins] = toHalf(frame[i]);
    }
};

struct ProjectLine {
    const Half* volume;
    float* enFace;
    std::int64_t bscans;
    std::int64_t lines;
    std::int64_t bins;
    std::int64_t firstBscan;
    BinWindow window;
    bool mean;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t line = (firstBscan + i / lines) % bscans * lines + i % lines;
        const Half* values = volume + line * bins;
        float highest = fromHalf(values[window.first]);
        float sum = 0.0F;
        for (std::int64_t bin = window.first; bin < window.last; ++bin) {
            const float value = fromHalf(values[bin]);
            highest = fmaxf(highest, value);
            sum += value;
        }
        enFace[line] = mean ? sum / static_cast<float>(window.last - window.first) : highest;
    }
};

struct CutVoxel {
    const Half* volume;
    float* plane;
    std::int64_t lines;
    std::int64_t bins;
    std::int64_t line;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t bscan = i / bins;
        plane[i] = fromHalf(volume[(bscan * lines + line) * bins + i - bscan * bins]);
    }
};

struct ShrinkVoxel {
    const Half* volume;
    Half* out;
    std::int64_t bscans, lines, bins; ///< of the volume
    std::int64_t outLines, outBins;
    Shrink shrink;
    std::int64_t firstBscan;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t bin0 = i % outBins * shrink.bins;
        const std::int64_t line0 = i / outBins % outLines * shrink.lines;
        const std::int64_t bscan0 = (firstBscan + i / (outBins * outLines)) * shrink.bscans;
        const std::int64_t bscan1 = least(bscan0 + shrink.bscans, bscans);
        const std::int64_t line1 = least(line0 + shrink.lines, lines);
        const std::int64_t bin1 = least(bin0 + shrink.bins, bins);
        float highest = fromHalf(volume[(bscan0 * lines + line0) * bins + bin0]);
        for (std::int64_t bscan = bscan0; bscan < bscan1; ++bscan) {
            for (std::int64_t line = line0; line < line1; ++line) {
                const Half* values = volume + (bscan * lines + line) * bins;
                for (std::int64_t bin = bin0; bin < bin1; ++bin)
                    highest = fmaxf(highest, fromHalf(values[bin]));
            }
        }
        out[i] = toHalf(highest);
    }
    ECHOLUX_HD static std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
};

} // namespace

void fillVolume(const Exec& exec, Half* volume, const VolumeShape& shape, float value) {
    forEach(exec, "volume", shape.count(), Fill{volume, toHalf(value)});
}

void storeBscans(const Exec& exec, Half* volume, const VolumeShape& shape, const float* frame,
                 std::int64_t first, std::int64_t count) {
    forEach(exec, "volume", count * shape.slice(),
            StoreVoxel{frame, volume, shape.slice(), shape.bscans, first});
}

void storeTurnedBscans(const Exec& exec, Half* volume, const VolumeShape& shape, const float* frame,
                       std::int64_t first, std::int64_t count) {
    forEach(exec, "volume", count * shape.slice(),
            StoreTurnedVoxel{frame, volume, shape.lines, shape.bins, shape.bscans, first});
}

void projectBscans(const Exec& exec, const Half* volume, const VolumeShape& shape,
                   Projection projection, BinWindow window, std::int64_t first, std::int64_t count,
                   float* enFace) {
    window.first = std::clamp<std::int64_t>(window.first, 0, shape.bins - 1);
    window.last = std::clamp<std::int64_t>(window.last, window.first + 1, shape.bins);
    forEach(exec, "en face", count * shape.lines,
            ProjectLine{volume, enFace, shape.bscans, shape.lines, shape.bins, first, window,
                        projection == Projection::Mean});
}

void cutAlongLine(const Exec& exec, const Half* volume, const VolumeShape& shape, std::int64_t line,
                  float* plane) {
    forEach(exec, "side plane", shape.bscans * shape.bins,
            CutVoxel{volume, plane, shape.lines, shape.bins, line});
}

Shrink shrinkToFit(const VolumeShape& shape, std::size_t maxBytes, std::int64_t maxExtent) {
    Shrink shrink;
    for (;;) {
        const VolumeShape small = shrink.of(shape);
        const std::int64_t longest = std::max({small.bscans, small.lines, small.bins});
        if ((small.bytes() <= maxBytes && longest <= maxExtent) || longest == 1) return shrink;
        if (small.bins == longest) {
            ++shrink.bins;
        } else if (small.lines == longest) {
            ++shrink.lines;
        } else {
            ++shrink.bscans;
        }
    }
}

void shrinkBscans(const Exec& exec, const Half* volume, const VolumeShape& shape, Shrink shrink,
                  std::int64_t first, std::int64_t count, Half* out) {
    const VolumeShape small = shrink.of(shape);
    forEach(exec, "volume", count * small.slice(),
            ShrinkVoxel{volume, out, shape.bscans, shape.lines, shape.bins, small.lines, small.bins,
                        shrink, first});
}

} // namespace echolux
