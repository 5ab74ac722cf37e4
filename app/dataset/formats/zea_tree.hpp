// SPDX-License-Identifier: GPL-3.0-or-later
// Finds channel data, scans and images in the different layouts of zea files, and reads small
// arrays by name.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Map: values that are no image, such as velocities, speeds of sound, or where something lies.
enum class ZeaKind { Channels, Beamformed, Envelope, Image, Map };

/// One recording of the file.
struct ZeaTrack {
    ZeaKind kind = ZeaKind::Channels;
    std::string label; ///< label to show to users
    std::string base;  ///< "tracks/track_0", "event_0", or "" where data and scan are at the root
    std::string scan;  ///< path of the group of the scan
    std::string array; ///< path of the dataset of the samples
    std::string map;   ///< path of the group of an image with coordinates; empty: a plain dataset
    std::string unit = {}; ///< of the values of an image or a map; empty where unknown
    /// Index in the last axis of the array, where it counts labels, for example those of a
    /// segmentation.
    std::optional<std::size_t> place = {};
};

struct ZeaTracks {
    std::vector<ZeaTrack> tracks;    ///< channel data first, then images, then maps
    std::vector<ZeaTrack> without;   ///< groups without any, such as transmit-only ones
    std::vector<std::string> unread; ///< names of data that are neither
};
ZeaTracks zeaTracks(const Hdf5File& tree);

/// Numeric datasets of one group.
class ZeaFields {
public:
    ZeaFields(std::shared_ptr<Hdf5File> tree, std::string group)
        : m_tree(std::move(tree)), m_group(std::move(group)) {}
    const std::string& group() const { return m_group; }
    std::string nameOf(const std::string& name) const;
    bool has(const std::string& name) const { return m_tree->isNumeric(nameOf(name)); }
    struct Table {
        std::vector<std::int64_t> shape;
        std::vector<double> values; ///< empty where the dataset is missing
        bool empty() const { return values.empty(); }
    };
    Table table(const std::string& name) const;
    /// The single value of a dataset; empty where it is missing. Throws where there are several
    /// values or the value is not finite.
    std::optional<double> number(const std::string& name) const;
    std::optional<std::string> text(const std::string& name) const {
        return m_tree->text(nameOf(name));
    }

private:
    std::shared_ptr<Hdf5File> m_tree;
    std::string m_group;
};

} // namespace echolux
