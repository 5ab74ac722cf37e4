// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_delay_tables.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"

namespace echolux::das {
namespace {

/// Tables one after the other.
struct Layout {
    std::vector<TableSteps> steps;
    std::int64_t entries = 0;

    /// Adds a table whose delays change along depth and along the axes named.
    void add(const Grid& grid, bool lateral, bool elevation) {
        TableSteps table{.begin = entries};
        table.perColumn = lateral ? 1 : 0;
        table.perRow = lateral ? grid.lateral : 1;
        const std::int64_t slice = std::int64_t{table.perRow} * grid.depth;
        table.perSlice = elevation ? slice : 0;
        entries += elevation ? slice * grid.elevation : slice;
        steps.push_back(table);
    }
    std::size_t delayBytes() const { return static_cast<std::size_t>(entries) * sizeof(float); }
    std::size_t stepBytes() const { return steps.size() * sizeof(TableSteps); }
};

Layout receiveLayout(const Model& model) {
    Layout layout;
    for (std::size_t e = 0; e < model.elements.size(); ++e) {
        const Face face = model.faces.empty() ? Face{} : model.faces[e];
        layout.add(model.constants.grid, face.countsX != 0.0F, face.countsY != 0.0F);
    }
    return layout;
}

Layout transmitLayout(const Model& model) {
    Layout layout;
    const bool beams = !model.beams.empty(); // each column has another direction
    for (const TransmitConstants& t : model.transmits) {
        const bool x = t.plane ? t.directionX != 0.0F : t.countsX != 0.0F;
        const bool y = t.plane ? t.directionY != 0.0F : t.countsY != 0.0F;
        layout.add(model.constants.grid, x || beams, y);
    }
    return layout;
}

struct FillReceive {
    Constants k;
    float* table;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const auto element = static_cast<int>(i / k.grid.pixels());
        const Voxel voxel = k.grid.voxel(i % k.grid.pixels());
        const TableSteps& steps = k.receiveSteps[element];
        if (steps.isFirst(voxel))
            table[steps.at(voxel)] = receiveIndex(k, element, k.grid.at(voxel));
    }
};

struct FillTransmit {
    Constants k;
    float* table;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t transmit = i / k.grid.pixels();
        const Voxel voxel = k.grid.voxel(i % k.grid.pixels());
        const TableSteps& steps = k.transmitSteps[transmit];
        if (steps.isFirst(voxel))
            table[steps.at(voxel)] =
                transmitIndex(k.transmit[transmit], k.indexPerMetre, k.grid.at(voxel));
    }
};

struct FillFull {
    Constants k;
    float* table;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t line = i / k.grid.pixels();
        const Place place = k.grid.at(i % k.grid.pixels());
        const TransmitConstants& transmit = k.transmit[line / k.elements];
        table[i] = transmitIndex(transmit, k.indexPerMetre, place) +
                   receiveIndex(k, static_cast<int>(line % k.elements), place);
    }
};

std::int64_t fullEntries(const Model& model) {
    return model.constants.grid.pixels() * std::ssize(model.elements) * std::ssize(model.transmits);
}

const TableSteps* send(const Exec& exec, const Buffer& to, const std::vector<TableSteps>& steps) {
    upload(exec, to.data(), steps.data(), steps.size() * sizeof(TableSteps));
    return to.as<TableSteps>();
}

} // namespace

std::size_t DelayTables::bytesOf(const Model& model, DelaySource source) {
    if (source == DelaySource::Kernel) return 0;
    if (source == DelaySource::Full)
        return static_cast<std::size_t>(fullEntries(model)) * sizeof(float);
    const Layout receive = receiveLayout(model);
    const Layout transmit = transmitLayout(model);
    return receive.delayBytes() + receive.stepBytes() + transmit.delayBytes() +
           transmit.stepBytes();
}

void DelayTables::allocate(const Exec& exec, const Model& model, DelaySource source) {
    *this = {};
    const MemoryKind kind = computeMemory(exec.backend);
    if (source == DelaySource::Full) m_full = Buffer(kind, bytesOf(model, source));
    if (source != DelaySource::Table) return;
    const Layout receive = receiveLayout(model);
    const Layout transmit = transmitLayout(model);
    m_receive = Buffer(kind, receive.delayBytes());
    m_receiveSteps = Buffer(kind, receive.stepBytes());
    m_transmit = Buffer(kind, transmit.delayBytes());
    m_transmitSteps = Buffer(kind, transmit.stepBytes());
}

void DelayTables::fill(const Exec& exec, const Model& model, Constants& constants) {
    if (m_full.bytes() > 0) {
        forEach(exec, "beamform", fullEntries(model), FillFull{constants, m_full.as<float>()});
        constants.fullTable = m_full.as<float>();
        return;
    }
    m_receivePlaces = receiveLayout(model).steps;
    m_transmitPlaces = transmitLayout(model).steps;
    constants.receiveSteps = send(exec, m_receiveSteps, m_receivePlaces);
    constants.transmitSteps = send(exec, m_transmitSteps, m_transmitPlaces);
    const std::int64_t pixels = constants.grid.pixels();
    forEach(exec, "beamform", constants.elements * pixels,
            FillReceive{constants, m_receive.as<float>()});
    forEach(exec, "beamform", constants.transmits * pixels,
            FillTransmit{constants, m_transmit.as<float>()});
    constants.receiveTable = m_receive.as<float>();
    constants.transmitTable = m_transmit.as<float>();
}

} // namespace echolux::das
