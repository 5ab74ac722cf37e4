// SPDX-License-Identifier: GPL-3.0-or-later
// Where a zea file keeps what: its layouts of several years, and small numbers by name.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

enum class ZeaKind { Channels, Beamformed, Envelope, Image };

/// One recording of the file.
struct ZeaTrack {
    ZeaKind kind = ZeaKind::Channels;
    std::string label; ///< for people
    std::string base;  ///< "tracks/track_0", "event_0", or "" where data and scan lie at the root
    std::string scan;  ///< group of the scan
    std::string array; ///< dataset of the samples
    std::string map;   ///< group of an image, with its coordinates; empty: a plain dataset
};

struct ZeaTracks {
    std::vector<ZeaTrack> tracks;  ///< channel data first, then images
    std::vector<ZeaTrack> without; ///< groups that hold neither, as those that only transmit
};
ZeaTracks zeaTracks(const Hdf5File& tree);

/// Numbers of one group.
class ZeaFields {
public:
    ZeaFields(std::shared_ptr<Hdf5File> tree, std::string group)
        : m_tree(std::move(tree)), m_group(std::move(group)) {}
    const std::string& group() const { return m_group; }
    std::string nameOf(const std::string& name) const;
    bool has(const std::string& name) const { return m_tree->isNumeric(nameOf(name)); }
    struct Table {
        std::vector<std::int64_t> shape;
        std::vector<double> values; ///< empty where there is no such dataset
        bool empty() const { return values.empty(); }
    };
    Table table(const std::string& name) const;
    /// The only value; nothing where it is missing. Throws where there are several, or where it is
    /// not finite.
    std::optional<double> number(const std::string& name) const;
    std::optional<std::string> text(const std::string& name) const {
        return m_tree->text(nameOf(name));
    }

private:
    std::shared_ptr<Hdf5File> m_tree;
    std::string m_group;
};

} // namespace echolux
