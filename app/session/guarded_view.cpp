// SPDX-License-Identifier: GPL-3.0-or-later
// The thread of a plugin's view. What it shares with others lives as long as the last of them.
#include "app/session/guarded_view.hpp"

#include "app/dataset/plugins/guarded_recording.hpp"
#include "app/dataset/recording/thread_name.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace echolux {
namespace {

void checkAxis(const DrawnAxis& axis) {
    const double extent = std::abs(axis.to - axis.from);
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to) || !std::isfinite(extent) ||
        extent == 0.0)
        throw Error(
            fmt::format("its axis '{}' goes from {} to {}", axis.label, axis.from, axis.to));
}

/// Throws Error where it cannot be shown.
void checkDrawing(const ViewDrawing& drawing) {
    checkAxis(drawing.horizontal);
    checkAxis(drawing.vertical);
    constexpr int kMostPixels = ViewDrawing::kMostPixels;
    const auto isSide = [](int pixels) { return pixels >= 0 && pixels <= kMostPixels; };
    if (!isSide(drawing.width) || !isSide(drawing.height))
        throw Error(fmt::format("its picture has {} x {} pixels, and each side may have {}",
                                drawing.width, drawing.height, kMostPixels));
    const std::size_t bytes = std::size_t{4} * static_cast<std::size_t>(drawing.width) *
                              static_cast<std::size_t>(drawing.height);
    if (drawing.rgba.size() != bytes)
        throw Error(fmt::format("its picture has {} bytes in place of {} for {} x {} pixels",
                                drawing.rgba.size(), bytes, drawing.width, drawing.height));
    if (drawing.curves.size() > drawing.kMostCurves)
        throw Error(fmt::format("it has {} curves, and may have {}", drawing.curves.size(),
                                drawing.kMostCurves));
    for (const DrawnCurve& curve : drawing.curves) {
        if (curve.x.size() != curve.y.size() || curve.x.size() > drawing.kMostPoints)
            throw Error(fmt::format("its curve '{}' has {} and {} coordinates", curve.label,
                                    curve.x.size(), curve.y.size()));
    }
    if (bytes == 0 && drawing.curves.empty()) throw Error("it drew neither a picture nor a curve");
}

} // namespace

struct GuardedView::Shared {
    using Clock = std::chrono::steady_clock;

    std::string who;          ///< "The view 'x' of the plugin /path/y.so"
    mutable std::mutex mutex; ///< guards what follows
    std::condition_variable changed;
    bool busy = true; ///< the view opens or draws
    Clock::time_point busySince = Clock::now();
    bool opened = false;
    std::shared_ptr<const ImagePixels> image; ///< to draw; unchanged while busy
    ViewRoom room;
    Answer answer;
    bool leaving = false;
    bool ended = false; ///< the thread is at its end

    std::mutex telling; ///< held while `answered` is called
    std::function<void()> answered;

    std::string failed(const std::string& reason) const {
        return fmt::format("{} failed: {}.", who, reason);
    }
    void tell() {
        const std::scoped_lock lock(telling);
        if (answered) answered();
    }
};

GuardedView::GuardedView(const KnownView& view, std::function<void()> answered,
                         const Patience& patience)
    : m_patience(patience), m_shared(std::make_shared<Shared>()) {
    m_shared->who = view.who();
    m_shared->answered = std::move(answered);
    m_thread = std::thread(&GuardedView::work, m_shared, view.open);
}

/// Ends the thread, or leaves it behind where the view does not return.
GuardedView::~GuardedView() {
    silence();
    std::unique_lock lock(m_shared->mutex);
    m_shared->leaving = true;
    m_shared->changed.notify_all();
    const bool ended =
        m_shared->changed.wait_for(lock, m_patience.closing, [this] { return m_shared->ended; });
    lock.unlock();
    if (ended) {
        m_thread.join();
        return;
    }
    spdlog::warn("{} does not return; its thread is left behind.", m_shared->who);
    m_thread.detach();
}

void GuardedView::silence() {
    const std::scoped_lock lock(m_shared->telling);
    m_shared->answered = nullptr;
}

void GuardedView::work(const std::shared_ptr<Shared>& shared, ViewOpener open) {
    nameThisThread("echolux-view");
    std::unique_ptr<PluginView> view;
    const std::string failure = failureOf([&] {
        view = open();
        if (view == nullptr) throw Error("it gave no view; correct the plugin");
    });
    std::unique_lock lock(shared->mutex);
    shared->opened = failure.empty();
    if (!failure.empty()) shared->answer.problem = shared->failed(failure);
    shared->busy = false;
    while (true) {
        lock.unlock();
        shared->tell();
        lock.lock();
        shared->changed.wait(lock, [&] { return shared->busy || shared->leaving; });
        if (shared->leaving) break;
        lock.unlock();
        Answer answer = drawn(*shared, *view);
        lock.lock();
        shared->answer = std::move(answer);
        shared->image.reset();
        shared->busy = false;
    }
    lock.unlock();
    failureOf([&] { view.reset(); });
    lock.lock();
    shared->ended = true;
    shared->changed.notify_all();
}

GuardedView::Answer GuardedView::drawn(const Shared& shared, PluginView& view) {
    auto drawing = std::make_shared<ViewDrawing>();
    const std::string failure = failureOf([&] {
        *drawing = view.draw({shared.image->spec, shared.image->values}, shared.room);
        checkDrawing(*drawing);
    });
    if (!failure.empty()) return {.image = shared.image, .problem = shared.failed(failure)};
    return {.image = shared.image, .drawing = std::move(drawing)};
}

bool GuardedView::ask(std::shared_ptr<const ImagePixels> image, const ViewRoom& room) {
    const std::scoped_lock lock(m_shared->mutex);
    if (m_shared->busy || !m_shared->opened) return false;
    m_shared->image = std::move(image);
    m_shared->room = room;
    m_shared->busy = true;
    m_shared->busySince = Shared::Clock::now();
    m_shared->changed.notify_all();
    return true;
}

GuardedView::Answer GuardedView::latest() const {
    const std::scoped_lock lock(m_shared->mutex);
    const bool stalls =
        m_shared->busy && Shared::Clock::now() - m_shared->busySince >= m_patience.drawing;
    if (!stalls) return m_shared->answer;
    return {.problem = fmt::format(
                "{} has not answered for more than {} s; its picture comes when it does.",
                m_shared->who, std::chrono::duration<double>(m_patience.drawing).count())};
}

} // namespace echolux
