// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as the graph shows it: boxes with ports, links, and facts about each.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace echolux {

/// Milliseconds per frame; negative: unknown.
struct GraphTimes {
    double mean = -1.0;
    double last = -1.0;
    double percentile99 = -1.0;

    bool areKnown() const { return mean >= 0.0; }
};

struct GraphNode {
    enum class Kind { Recording, Stage, View };

    QString id = {}; ///< unique among all nodes
    Kind kind = Kind::Stage;
    QString label = {};      ///< label of the stage type, or name of the recording or view
    QString typeId = {};     ///< stages only
    QStringList inputs = {}; ///< names of the ports, in order; a view has one port
    bool bypassed = false;
    bool canBypass = true;
    QString bypassReason = {};     ///< why it cannot be bypassed
    QStringList outputs = {"out"}; ///< their names, in order; a view has none

    int outputCount() const { return static_cast<int>(outputs.size()); }
    bool onCpu = false;      ///< the stage runs on the CPU, on any backend of the pipeline
    bool canLeaveCpu = true; ///< false: the stage has no other implementation
    /// Notes on how it runs, one sentence per line.
    QString note = {};
    GraphTimes ms = {};
    /// Linked stages with the same text are timed together; the first of them that has a time holds
    /// the time of all. Empty: the stage is timed alone.
    QString timedAs = {};
    QString error = {}; ///< what is wrong with the stage; empty: nothing
};

/// From an output of one node to a port of another.
struct GraphLink {
    QString from;
    QString to;
    QString toPort;
    QString fromPort = {};      ///< name of a further output; empty: the first output
    bool ofFrameBefore = false; ///< the link may close a circle
    bool operator==(const GraphLink&) const = default;
};

struct GraphModel {
    QList<GraphNode> nodes;
    QList<GraphLink> links;
};

/// Index of the node, or -1.
int nodeIndex(const GraphModel& model, const QString& id);
/// Position of the link's output among the node's outputs; 0 where the node has no such output.
int outputIndex(const GraphNode& node, const GraphLink& link);
/// Name of an output among the outputs of all nodes: the node's id, or "port@id" for a further
/// output.
QString outputId(const GraphNode& node, int port);
QString outputId(const GraphLink& link);
/// True where data of node `from` reach node `to`. A node reaches itself.
bool reaches(const GraphModel& model, const QString& from, const QString& to);

/// A type of stage that the user can pick.
struct StageChoice {
    QString id = {};
    QString label = {};
    QString group; ///< submenu that lists it; empty: none
};

} // namespace echolux
