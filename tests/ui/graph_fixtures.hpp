// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of the tests: a chain, and one with two beamformers.
#pragma once

#include "ui/graph/graph_model.hpp"

namespace echolux::testing_support {

inline GraphNode recordingNode() {
    return {.id = "recording",
            .kind = GraphNode::Kind::Recording,
            .label = "phantom_cine.h5",
            .typeId = {},
            .inputs = {}};
}

inline GraphNode stageNode(const QString& id, const QString& typeId, const QString& label,
                           const QStringList& inputs = {"in"}) {
    return {.id = id, .label = label, .typeId = typeId, .inputs = inputs};
}

inline GraphNode viewNode(const QString& id, const QString& label) {
    return {.id = id,
            .kind = GraphNode::Kind::View,
            .label = label,
            .typeId = {},
            .inputs = {"image"},
            .outputs = {}};
}

inline GraphModel chainGraph() {
    GraphModel model;
    model.nodes = {recordingNode(),
                   stageNode("spectrum_to_float", "spectrum_to_float", "Spectrum to float"),
                   stageNode("background_subtract", "background_subtract", "Background"),
                   stageNode("k_linearize", "k_linearize", "k-linearisation"),
                   stageNode("dispersion", "dispersion", "Dispersion"),
                   stageNode("window", "window", "Window"),
                   stageNode("inverse_fft", "inverse_fft", "Inverse FFT"),
                   stageNode("magnitude_log", "magnitude_log", "Magnitude"),
                   stageNode("fixed_pattern", "fixed_pattern", "Fixed pattern noise"),
                   stageNode("average", "average", "Average"),
                   viewNode("image", "B-scan")};
    for (qsizetype k = 1; k < model.nodes.size(); ++k)
        model.links.append({model.nodes[k - 1].id, model.nodes[k].id, model.nodes[k].inputs[0]});
    return model;
}

/// recording > to_float > two beamformers, each with its envelope > compare; a view of the first
/// envelope and one of the comparison.
inline GraphModel branchedGraph() {
    GraphModel model;
    model.nodes = {recordingNode(),
                   stageNode("to_float", "to_float", "To float"),
                   stageNode("das", "beamform", "Beamform"),
                   stageNode("fine", "beamform", "Beamform"),
                   stageNode("envelope", "envelope", "Envelope"),
                   stageNode("envelope_fine", "envelope", "Envelope"),
                   stageNode("compare", "compare", "Compare", {"a", "b"}),
                   stageNode("log_compression", "log_compression", "Log compression"),
                   viewNode("before", "Before"),
                   viewNode("difference", "Difference")};
    model.links = {{"recording", "to_float", "in"},   {"to_float", "das", "in"},
                   {"to_float", "fine", "in"},        {"das", "envelope", "in"},
                   {"fine", "envelope_fine", "in"},   {"envelope", "compare", "a"},
                   {"envelope_fine", "compare", "b"}, {"compare", "log_compression", "in"},
                   {"envelope", "before", "image"},   {"log_compression", "difference", "image"}};
    return model;
}

} // namespace echolux::testing_support
