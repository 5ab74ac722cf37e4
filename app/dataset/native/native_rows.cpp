// SPDX-License-Identifier: GPL-3.0-or-later
// NOTE: a chunk is one row: like a frame, a row is never written over. A row comes before its
// frame, so each whole frame has its row.
#include "app/dataset/native/native_rows.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace echolux::native {
namespace {

using hdf5::require;

/// As it lies in memory and, little-endian, in the file.
struct StampRow {
    std::int64_t number;
    std::int64_t deviceNs;
    std::int64_t arrivalNs;
    std::array<double, 12> pose; ///< rows of a 3 x 4 matrix; NaN: unknown
    std::array<char, 32> space;  ///< filled up with zeros
};

Hdf5Handle rowType(hid_t integer, hid_t real) {
    const std::array<hsize_t, 2> extent{3, 4};
    const Hdf5Handle matrix(H5Tarray_create2(real, 2, extent.data()));
    const Hdf5Handle text(H5Tcopy(H5T_C_S1));
    H5Tset_size(text.get(), sizeof(StampRow::space));
    H5Tset_strpad(text.get(), H5T_STR_NULLPAD);
    H5Tset_cset(text.get(), H5T_CSET_UTF8);
    Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(StampRow)));
    H5Tinsert(type.get(), "number", offsetof(StampRow, number), integer);
    H5Tinsert(type.get(), "device_time_ns", offsetof(StampRow, deviceNs), integer);
    H5Tinsert(type.get(), "arrival_ns", offsetof(StampRow, arrivalNs), integer);
    H5Tinsert(type.get(), "pose", offsetof(StampRow, pose), matrix.get());
    H5Tinsert(type.get(), "space", offsetof(StampRow, space), text.get());
    return type;
}

Hdf5Handle storedRow() { return rowType(H5T_STD_I64LE, H5T_IEEE_F64LE); }
Hdf5Handle memoryRow() { return rowType(H5T_NATIVE_INT64, H5T_NATIVE_DOUBLE); }

Hdf5Handle createRows(hid_t file, const char* name, hid_t type) {
    const hsize_t none = 0;
    const hsize_t one = 1;
    const hsize_t most = H5S_UNLIMITED;
    const Hdf5Handle layout = hdf5::creation(H5P_DATASET_CREATE);
    require(H5Pset_chunk(layout.get(), 1, &one), "choosing chunks");
    require(H5Pset_fletcher32(layout.get()), "choosing a checksum");
    const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    require(H5Pset_chunk_cache(access.get(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT),
            "choosing no cache");
    const Hdf5Handle space(H5Screate_simple(1, &none, &most));
    return Hdf5Handle(
        require(H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, layout.get(), access.get()),
                "making a table of frames"));
}

void appendRow(hid_t rows, std::int64_t row, hid_t type, const void* value) {
    const hsize_t count = static_cast<hsize_t>(row) + 1;
    require(H5Dset_extent(rows, &count), "growing the file");
    const hsize_t one = 1;
    const Hdf5Handle place = selectFrame(rows, row);
    const Hdf5Handle memory(H5Screate_simple(1, &one, nullptr));
    require(H5Dwrite(rows, type, memory.get(), place.get(), H5P_DEFAULT, value),
            "writing a row of a table");
    require(H5Dflush(rows), "writing the index");
}

std::shared_ptr<const Pose> poseIn(const StampRow& row) {
    const std::shared_ptr<Pose> pose = poseOfRows(row.pose);
    if (pose) pose->space.assign(row.space.begin(), std::ranges::find(row.space, '\0'));
    return pose;
}

bool readRows(hid_t stamps, hid_t type, std::int64_t first, std::span<StampRow> out) {
    const hsize_t start = static_cast<hsize_t>(first);
    const hsize_t count = out.size();
    const Hdf5Handle place(H5Dget_space(stamps));
    const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr));
    return H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) >=
               0 &&
           H5Dread(stamps, type, memory.get(), place.get(), H5P_DEFAULT, out.data()) >= 0;
}

/// True where each chunk is one row that nothing but a checksum follows, so that reading it is
/// safe.
bool isOfThisForm(hid_t rows) {
    const Hdf5Handle type(H5Dget_type(rows));
    const Hdf5Handle layout(H5Dget_create_plist(rows));
    const Hdf5Handle expected = storedRow();
    hsize_t chunk = 0;
    if (H5Tequal(type.get(), expected.get()) <= 0 || hdf5::extentOf(rows).size() != 1 ||
        H5Pget_layout(layout.get()) != H5D_CHUNKED || H5Pget_chunk(layout.get(), 1, &chunk) != 1 ||
        chunk != 1)
        return false;
    std::size_t values = 0;
    unsigned flags = 0;
    return H5Pget_nfilters(layout.get()) == 1 &&
           H5Pget_filter2(layout.get(), 0, &flags, &values, nullptr, 0, nullptr, nullptr) ==
               H5Z_FILTER_FLETCHER32;
}

} // namespace

Hdf5Handle createRawFrames(hid_t file, const std::string& recording) {
    Hdf5Handle numbers = createRows(file, kRawFrame, H5T_STD_I64LE);
    hdf5::writeText(numbers.get(), kRawFile, recording);
    return numbers;
}

void appendRawFrame(hid_t rawFrames, std::int64_t row, std::int64_t number) {
    appendRow(rawFrames, row, H5T_NATIVE_INT64, &number);
}

Hdf5Handle createStamps(hid_t file) { return createRows(file, kStamps, storedRow().get()); }

void appendStamp(hid_t stamps, std::int64_t row, const FrameStamp& stamp) {
    StampRow value{stamp.number, stamp.deviceNs, stamp.arrivalNs, rowsOf(stamp.pose.get()), {}};
    const std::string space = stamp.pose ? stamp.pose->space : std::string();
    std::ranges::copy_n(space.begin(), std::ssize(space.substr(0, value.space.size())),
                        value.space.begin());
    appendRow(stamps, row, memoryRow().get(), &value);
}

Hdf5Handle openStamps(hid_t file) {
    if (H5Lexists(file, kStamps, H5P_DEFAULT) <= 0) return {};
    Hdf5Handle stamps(H5Dopen2(file, kStamps, H5P_DEFAULT));
    if (!stamps || !isOfThisForm(stamps.get())) return {};
    return stamps;
}

std::vector<FrameStamp> readStamps(hid_t stamps, std::int64_t first, std::int64_t count) {
    constexpr std::int64_t kAtOnce = 4096;
    std::vector<FrameStamp> found(static_cast<std::size_t>(count));
    const Hdf5Handle type = memoryRow();
    const auto there = static_cast<std::int64_t>(hdf5::extentOf(stamps).at(0)) - first;
    const StampRow unknown{-1, -1, -1, rowsOf(nullptr), {}};
    std::vector<StampRow> rows;
    for (std::int64_t at = 0; at < std::min(count, there); at += kAtOnce) {
        rows.assign(static_cast<std::size_t>(std::min(kAtOnce, std::min(count, there) - at)),
                    unknown);
        if (!readRows(stamps, type.get(), first + at, rows))
            for (std::size_t i = 0; i < rows.size(); ++i) // one of them is damaged
                if (!readRows(stamps, type.get(), first + at + static_cast<std::int64_t>(i),
                              std::span(rows).subspan(i, 1)))
                    rows[i] = unknown;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            FrameStamp& stamp = found[static_cast<std::size_t>(at) + i];
            stamp.number = rows[i].number;
            stamp.deviceNs = rows[i].deviceNs;
            stamp.arrivalNs = rows[i].arrivalNs;
            stamp.pose = poseIn(rows[i]);
        }
    }
    return found;
}

void takeRate(RecordingInfo& info, const FrameStamp& first, const FrameStamp& last) {
    constexpr double kByDevice = 0.01;
    constexpr double kByArrival = 0.05; // computers are late at times
    const StampedRate rate = rateBetween(first, last, info.frameCount);
    const bool device = rate.deviceHz > 0.0;
    const double measured = device ? rate.deviceHz : rate.arrivalHz;
    const double stated = info.frameRateHz;
    const double tolerated = device ? kByDevice : kByArrival;
    if (!(measured > 0.0) || std::abs(measured - stated) <= tolerated * stated) return;
    info.frameRateHz = measured;
    if (stated > 0.0)
        info.warnings.push_back(fmt::format(
            "The source said {:.4g} frames per second, and by {} it made {:.4g}; the latter "
            "counts.",
            stated, device ? "its own clock" : "their arrival", measured));
}

} // namespace echolux::native
