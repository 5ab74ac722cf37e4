// SPDX-License-Identifier: GPL-3.0-or-later
// What a program asks the reader process of a file. Answers come in the order of the questions.
#pragma once

#include "app/dataset/guarded/facts_wire.hpp"

namespace echolux {

/// A question begins with one of these. The first question of a process is Open or Container.
/// It names the file, and the process then loses its rights.
enum class Ask : std::uint8_t {
    Open,      ///< path, OpenOptions, further files that may be read -> OpenedFacts
    Carried,   ///< -> CarriedFacts
    Container, ///< path -> std::optional<ContainerFacts>
    Room,      ///< slots, bytes of each: the shared memory has its size now -> nothing
    Frame,     ///< index, slot -> nothing; the frame is in the slot
    Places,    ///< first, count -> FramePlaces
    Stamps,    ///< first, count -> std::vector<FrameStamp>
    Has,       ///< name -> bool
    Array,     ///< name -> ArrayFacts
    Values,    ///< number of an array, axis or -1, index -> std::vector<std::byte>
};

/// An answer begins with one of these; what follows depends on it.
enum class Reply : std::uint8_t {
    Done,
    Refused,     ///< Error: sentence
    NoMemory,    ///< OutOfMemory: sentence
    Headerless,  ///< HeaderlessData: sentence
    Undescribed, ///< UndescribedData: sentence, reason
};

struct OpenedFacts {
    RecordingInfo info;
    bool stamped = false;
};

/// Where frames are in a file as they are delivered, but for the order of the bytes of a number.
struct FramePlaces {
    static constexpr std::uint64_t kElsewhere = ~std::uint64_t{0}; ///< offset of a frame that the
                                                                   ///< process must read
    std::filesystem::path file;
    std::vector<std::uint64_t> offsets; ///< of each frame; empty: none is in the file like that
    std::uint8_t turned = 1;            ///< see FileRead
};

struct ContainerFacts {
    std::string list;
    std::vector<std::string> names;
    double frameRateHz = 0.0;
};

struct ArrayFacts {
    std::uint64_t number = 0;
    ArrayLayout layout;
    std::vector<std::uint8_t> slices; ///< per axis: 1 where it can be sliced
};

namespace wire {

template <> inline constexpr Ask kLast<Ask> = Ask::Values;
template <> inline constexpr Reply kLast<Reply> = Reply::Undescribed;
template <class Wire> void visit(Wire& wire, OpenedFacts& o) { wire(o.info, o.stamped); }
template <class Wire> void visit(Wire& wire, FramePlaces& p) { wire(p.file, p.offsets, p.turned); }
template <class Wire> void visit(Wire& wire, ContainerFacts& c) {
    wire(c.list, c.names, c.frameRateHz);
}
template <class Wire> void visit(Wire& wire, ArrayFacts& a) { wire(a.number, a.layout, a.slices); }

} // namespace wire
} // namespace echolux
