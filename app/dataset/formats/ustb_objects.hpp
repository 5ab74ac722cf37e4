// SPDX-License-Identifier: GPL-3.0-or-later
// USTB objects as HDF5 stores them: an object is a group with the attribute `class`, an array of
// objects is a group of numbered members, a point has polar coordinates.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/acquisition.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// "uff.channel_data", ...; empty where the group is no object.
std::string ustbClassOf(const Hdf5File& tree, const std::string& where);

/// Members of an array of objects in the order of their numbers, or the object itself where it is a
/// single one.
std::vector<std::string> ustbMembers(const Hdf5File& tree, const std::string& where);

/// All objects of the class at the root, or in a plain group at the root.
std::vector<std::string> ustbObjects(const Hdf5File& tree, std::string_view className);

/// uff.point: x = d sin az cos el, y = d sin el, z = d cos az cos el. m, rad.
struct UstbPoint {
    double distance = 0.0; ///< infinite: the point is a direction only
    double azimuth = 0.0;
    double elevation = 0.0;

    Point place() const;
};
UstbPoint readUstbPoint(const Hdf5Values& point);

/// The property `data`: real, complex, or as two datasets `real` and `imag`. Two datasets give the
/// array (`parted`) a leading axis of size two. Throws where they are missing or contradict each
/// other.
struct UstbData {
    std::unique_ptr<ArraySource> source;
    bool parted = false;
};
UstbData openUstbData(const Hdf5Values& object);

/// Elements with their normals and sizes. Adds a warning for each unusual value.
Probe readUstbProbe(const Hdf5Values& probe, std::vector<std::string>& warnings);

/// The readers below complete `info`; path, format and tracks are filled in before.
std::unique_ptr<Recording> openUstbChannelData(const Hdf5Values& object, RecordingInfo info);
std::unique_ptr<Recording> openUstbImages(const Hdf5Values& object, RecordingInfo info);

/// Waves of a sequence on the common clock. `initialTimeS` is the time of the first sample on the
/// file's time axis, for all waves. Adds warnings and notes to `info`.
std::vector<Transmit> readUstbWaves(const Hdf5Values& channelData, const Acquisition& acquisition,
                                    double initialTimeS, RecordingInfo& info);

} // namespace echolux
