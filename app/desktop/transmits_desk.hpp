// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Transmits" at work: images of single transmits of the shown frame, made in the
// background, and the mask that says which of them are summed.
#pragma once

#include "ui/lab/transmit_thumbnails.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class Background;
class Engine;
class ImageView;
class MainWindow;
class ParameterDesk;
class Session;
class TransmitImager;
struct TransmitChain;
struct TransmitImages;

/// Images only while its dock is in sight, one batch at a time, of what is in sight the oldest
/// images first; while frames run a few times a second at most and for a quarter of the time.
class TransmitsDesk : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMostAtOnce = 64; ///< transmits

    TransmitsDesk(MainWindow& window, const ImageView& image, Session& session,
                  ParameterDesk& parameters, Background& background);
    ~TransmitsDesk() override;

    void recordingOpened();
    void followPipeline();
    int batches() const { return m_batches; } ///< asked for since the window opened

private:
    /// What an image was made of.
    struct Made {
        std::int64_t frame = -1;
        std::string key = {};
        std::uint64_t turn = 0; ///< grows
    };
    /// Between the desk and its worker, which touches no engine once the desk has gone.
    struct Door {
        std::mutex mutex;
        bool closed = false;
    };
    /// What the worker made.
    struct Batch {
        std::uint64_t recording = 0;
        std::string key = {};
        std::int64_t frame = -1;
        double aspect = 1.0;
        std::vector<std::pair<int, TransmitPicture>> pictures = {};
        std::string problem = {}; ///< why there are none
        qint64 ms = 0;            ///< of work
    };

    bool isSeen();
    void follow();
    void edit();
    void imageEverywhere();
    void wait();
    void ask();
    std::vector<std::int64_t> wanted(std::int64_t frame) const;
    void start(std::vector<std::int64_t> transmits);
    static bool takeShown(Door& door, const std::weak_ptr<Engine>& from, TransmitImager& imager,
                          std::int64_t& frame);
    static void addPictures(Batch& batch, const TransmitImages& images);
    void take(const Batch& batch);
    void show(const Batch& batch);

    TransmitThumbnails& m_panel;
    Session& m_session;
    ParameterDesk& m_parameters;
    Background& m_background;
    QTimer m_soon;
    QElapsedTimer m_sinceBatch;
    qint64 m_pauseMs = 0;
    std::shared_ptr<Door> m_door;
    std::shared_ptr<TransmitImager> m_imager;     ///< the worker's, while m_busy
    std::shared_ptr<const TransmitChain> m_chain; ///< null: nothing is imaged
    std::int64_t m_slice = 0;
    std::vector<Made> m_made; ///< per transmit
    std::uint64_t m_recording = 0;
    std::uint64_t m_turn = 0;
    std::size_t m_atOnce = kMostAtOnce;
    bool m_busy = false;
    bool m_again = false; ///< something came while it was busy
    int m_batches = 0;
};

} // namespace echolux
