// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as a picture of it is told: boxes with their ports, links, and what is known of each.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace echolux {

/// Milliseconds per frame; below zero: not known.
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
    QString label = {};      ///< of the type; what the recording or the view is called
    QString typeId = {};     ///< of stages
    QStringList inputs = {}; ///< names of the ports, in order; a view has one
    bool bypassed = false;
    bool canBypass = true;
    QString bypassReason = {};       ///< why not
    bool hasOutput = true;           ///< never of a view
    QStringList furtherOutputs = {}; ///< names of those besides the first

    int outputCount() const { return hasOutput ? 1 + static_cast<int>(furtherOutputs.size()) : 0; }
    bool onCpu = false;      ///< whatever runs the others
    bool canLeaveCpu = true; ///< false: it runs nowhere else
    /// More about how it runs, one sentence a line.
    QString note = {};
    GraphTimes ms = {};
    /// Linked stages with the same text are timed together, and the first of them with a time
    /// carries that of all. Empty: alone.
    QString timedAs = {};
    QString error = {}; ///< what is wrong with it; empty: nothing
};

/// From the output of one node into a port of another.
struct GraphLink {
    QString from;
    QString to;
    QString toPort;
    QString fromPort = {};      ///< one of the further outputs; empty: the first
    bool ofFrameBefore = false; ///< it may close a circle
    bool operator==(const GraphLink&) const = default;
};

struct GraphModel {
    QList<GraphNode> nodes;
    QList<GraphLink> links;
};

/// Index of the node, -1 where there is none.
int nodeIndex(const GraphModel& model, const QString& id);
/// The place of the link's begin among the node's outputs, 0 where it has no such one.
int outputIndex(const GraphNode& node, const GraphLink& link);
/// What an output is called among those of all nodes: the node's id, or of a further one
/// "port@id".
QString outputId(const GraphNode& node, int port);
QString outputId(const GraphLink& link);
/// Whether data of node `from` reach node `to`; a node reaches itself.
bool reaches(const GraphModel& model, const QString& from, const QString& to);

/// A type of stage that somebody may pick.
struct StageChoice {
    QString id = {};
    QString label = {};
    QString group; ///< the submenu it stands in; empty: none
};

} // namespace echolux
