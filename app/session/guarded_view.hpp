// SPDX-License-Identifier: GPL-3.0-or-later
// A view of a plugin, on a thread of its own: a view that throws, stalls or draws what cannot be
// shown gives a sentence, and the program goes on.
#pragma once

#include "app/session/pixels_look.hpp"
#include "app/session/plugin_views.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace echolux {

class GuardedView {
public:
    struct Patience {
        std::chrono::milliseconds drawing{5'000}; ///< then latest() says that the view stalls
        std::chrono::milliseconds closing{1'000}; ///< then its thread is left behind
    };
    /// The latest answer: a drawing, or why there is none. All are empty before the first one.
    struct Answer {
        std::shared_ptr<const ImagePixels> image = {}; ///< of this answer; null: of none
        std::shared_ptr<const ViewDrawing> drawing = {};
        std::string problem = {}; ///< a sentence that names view and plugin
    };

    /// Opens the view. `answered` is called by the view's thread after each answer.
    GuardedView(const KnownView& view, std::function<void()> answered, const Patience& patience);
    ~GuardedView(); ///< may wait for Patience::closing
    GuardedView(const GuardedView&) = delete;
    GuardedView& operator=(const GuardedView&) = delete;

    /// Asks for a drawing of this image. False, without effect, while the view opens or draws, and
    /// where it could not be opened.
    bool ask(std::shared_ptr<const ImagePixels> image, const ViewRoom& room);
    Answer latest() const;
    void silence(); ///< from now on `answered` is not called; waits for a call in progress

private:
    struct Shared;
    static void work(const std::shared_ptr<Shared>& shared, ViewOpener open);
    static Answer drawn(const Shared& shared, PluginView& view);

    Patience m_patience;
    std::shared_ptr<Shared> m_shared; ///< outlives this object where the view stalls
    std::thread m_thread;
};

} // namespace echolux
