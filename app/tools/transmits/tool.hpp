// SPDX-License-Identifier: GPL-3.0-or-later
// Images of single transmits of the shown frame, and the mask that selects the transmits to sum.
#pragma once

#include "app/desktop/workbench/probe_runner.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

class TransmitImager;
class TransmitThumbnails;
class Workbench;
struct TransmitBatch;
struct TransmitChain;

/// Computes images only while its dock is visible, one batch at a time. Of the visible images the
/// oldest are computed first.
class TransmitsTool : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMostAtOnce = 64; ///< transmits per batch

    TransmitsTool(TransmitThumbnails& panel, Workbench& bench);

    /// Number of batches started since the window opened.
    int batches() const { return m_runner.started(); }

private:
    /// How the shown image of a transmit was made.
    struct Made {
        std::int64_t frame = -1; ///< -1: there is no image yet
        std::string key = {};    ///< TransmitChain::key
        std::uint64_t turn = 0;  ///< number of the batch; later batches have greater numbers
    };

    void forgetRecording();
    bool isSeen();
    void syncFromPipeline();
    void editMask();
    void imageWithEachTransmit();
    void requestImages();
    void makeImages();
    std::vector<std::int64_t> staleInSight(std::int64_t frame) const;
    void show(const TransmitBatch& batch, const ProbeOutcome& outcome);

    TransmitThumbnails& m_panel;
    Workbench& m_bench;
    ProbeRunner m_runner;
    std::shared_ptr<TransmitImager> m_imager;     ///< used by the worker while it works
    std::shared_ptr<const TransmitChain> m_chain; ///< null: nothing is imaged
    std::int64_t m_slice = 0;                     ///< in a volume: the B-scan that m_chain images
    std::vector<Made> m_made;                     ///< one per transmit
    std::uint64_t m_turn = 0;
    std::size_t m_atOnce = kMostAtOnce;
};

} // namespace echolux
