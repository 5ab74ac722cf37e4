/* SPDX-License-Identifier: GPL-3.0-or-later OR BSD-3-Clause */
/* echolux_live.h: raw frames in POSIX shared memory, from a scanner to Echolux. One header, no library.
 *
 *   echolux_live_writer out;
 *   const char* error = echolux_live_create(&out, "probe", frame_bytes, 16, 0, text, strlen(text));
 *   if (error != NULL) ...                                  // a sentence
 *   for (;;) {
 *       void* samples = echolux_live_begin(&out);           // NULL: the reader is behind (blocking)
 *       ... write frame_bytes bytes there ...
 *       echolux_live_publish(&out, number, time_ns);        // or echolux_live_publish_at
 *   }
 *   echolux_live_close(&out);
 *
 * `text` describes a frame: a sidecar (`echolux help sidecar`), or the bytes of an Echolux recording
 * of one frame. Then `echolux view --source shared:probe` shows the frames. The layout of the memory
 * is in `echolux help live`. Linux, little-endian, GCC or Clang. One thread writes.
 */
#ifndef ECHOLUX_LIVE_H
#define ECHOLUX_LIVE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECHOLUX_LIVE_MAGIC "ECHOLIVE" /* echolux_live_header::magic */
#define ECHOLUX_LIVE_VERSION 1u       /* of the layout */
#define ECHOLUX_LIVE_PAGE 4096u       /* bytes of echolux_live_header with what is left free */
#define ECHOLUX_LIVE_SLOT_HEADER 64u  /* bytes of echolux_live_slot */

enum { ECHOLUX_LIVE_DROP_OLDEST = 0, ECHOLUX_LIVE_BLOCK = 1 }; /* echolux_live_header::policy */
enum { ECHOLUX_LIVE_RUNNING = 1, ECHOLUX_LIVE_ENDED = 2 };     /* echolux_live_header::state */

/* The first page. Words that both sides change while frames run lie in lines of their own. */
typedef struct {
    char magic[8];              /* at 0: "ECHOLIVE" */
    uint32_t version;           /* 8: 1 */
    uint32_t header_bytes;      /* 12: 4096 */
    uint64_t total_bytes;       /* 16: of the whole memory */
    uint64_t generation;        /* 24: odd while the writer lays the memory out, else even */
    uint64_t description_at;    /* 32: offset */
    uint64_t description_bytes; /* 40 */
    uint64_t slots_at;          /* 48: offset of slot 0, a multiple of 64 */
    uint64_t slot_count;        /* 56: 2 or more */
    uint64_t slot_bytes;        /* 64: from one slot to the next, a multiple of 64 */
    uint64_t frame_bytes;       /* 72: samples of a frame; at most slot_bytes - 64 */
    uint32_t policy;            /* 80: 0 drop the oldest, 1 block */
    uint32_t state;             /* 84: 1 running, 2 ended */
    uint64_t writer_pid;        /* 88 */
    uint64_t reserved_0[4];     /* 96 */
    uint64_t published;         /* 128: frames so far; frame n (from 0) lies in slot n % slot_count */
    uint64_t writer_time_ns;    /* 136: CLOCK_MONOTONIC of the last publish */
    uint32_t signal;            /* 144: grows with each publish; a futex */
    uint32_t reserved_1[11];    /* 148 */
    uint64_t taken;             /* 192: the reader needs no frame before this one */
    uint64_t reader_time_ns;    /* 200: CLOCK_MONOTONIC, at least 10 times per second; 0: no reader */
    uint64_t reader_pid;        /* 208 */
} echolux_live_header;

/* The first 64 bytes of a slot; the samples follow. */
typedef struct {
    uint64_t sequence; /* 0: 2 n + 1 while frame n is written, 2 n + 2 when it is complete */
    int64_t number;    /* 8: the scanner's own number; a gap is a lost frame */
    int64_t time_ns;   /* 16: the scanner's own clock; -1: unknown */
    uint64_t bytes;    /* 24: frame_bytes */
    uint32_t placed;   /* 32: 1: the place of the frame follows, else 0 */
    float position[3]; /* 36: of (lateral, elevation, depth) = 0, m */
    float rotation[4]; /* 48: a unit quaternion w, x, y, z */
} echolux_live_slot;

/* What the writer keeps between calls. */
typedef struct {
    echolux_live_header* header; /* NULL: closed */
    size_t bytes;                /* of the whole memory */
    uint64_t next;               /* number of the frame that comes, from 0 */
    char name[256];              /* "/echolux-NAME" */
} echolux_live_writer;

/* CLOCK_MONOTONIC, in ns. */
static inline uint64_t echolux_live_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* `bytes`, rounded up to a multiple of `step`. */
static inline uint64_t echolux_live_up(uint64_t bytes, uint64_t step) {
    return (bytes + step - 1) / step * step;
}

/* The slot of a frame that is counted from 0. */
static inline echolux_live_slot* echolux_live_slot_of(const echolux_live_header* header,
                                                      uint64_t frame) {
    char* start = (char*)header;
    return (echolux_live_slot*)(void*)(start + header->slots_at +
                                       frame % header->slot_count * header->slot_bytes);
}

/* Makes the memory "/echolux-NAME", in place of a former one. Returns NULL, or what is wrong. */
static inline const char* echolux_live_create(echolux_live_writer* out, const char* name,
                                              uint64_t frame_bytes, uint64_t slot_count,
                                              uint32_t policy, const void* description,
                                              uint64_t description_bytes) {
    memset(out, 0, sizeof *out);
    if (frame_bytes == 0 || slot_count < 2) return "A frame has at least 1 byte, and slots are 2 or more.";
    const int length = snprintf(out->name, sizeof out->name, "/echolux-%s", name);
    if (length < 10 || length >= (int)sizeof out->name || strchr(name, '/') != NULL)
        return "The name has 1 to 240 characters and no slash.";
    const uint64_t slots_at =
        ECHOLUX_LIVE_PAGE + echolux_live_up(description_bytes, ECHOLUX_LIVE_PAGE);
    const uint64_t slot_bytes = ECHOLUX_LIVE_SLOT_HEADER + echolux_live_up(frame_bytes, 64);
    const uint64_t total = slots_at + slot_count * slot_bytes;
    shm_unlink(out->name); /* a reader of the former memory keeps it, and finds the new one */
    const int file = shm_open(out->name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (file < 0) return strerror(errno);
    /* allocated at once: a full memory is refused here, not while frames run */
    const int failed = posix_fallocate(file, 0, (off_t)total);
    void* memory = failed != 0 ? MAP_FAILED
                               : mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) {
        shm_unlink(out->name);
        return strerror(failed != 0 ? failed : errno);
    }
    echolux_live_header* header = (echolux_live_header*)memory;
    header->generation = 1;
    memcpy(header->magic, ECHOLUX_LIVE_MAGIC, 8);
    header->version = ECHOLUX_LIVE_VERSION;
    header->header_bytes = ECHOLUX_LIVE_PAGE;
    header->total_bytes = total;
    header->description_at = ECHOLUX_LIVE_PAGE;
    header->description_bytes = description_bytes;
    header->slots_at = slots_at;
    header->slot_count = slot_count;
    header->slot_bytes = slot_bytes;
    header->frame_bytes = frame_bytes;
    header->policy = policy;
    header->state = ECHOLUX_LIVE_RUNNING;
    header->writer_pid = (uint64_t)getpid();
    memcpy((char*)memory + ECHOLUX_LIVE_PAGE, description, description_bytes);
    __atomic_store_n(&header->generation, (uint64_t)2, __ATOMIC_RELEASE);
    out->header = header;
    out->bytes = total;
    return NULL;
}

/* Memory for the next frame. NULL where the writer blocks and the reader needs all slots: try again.
 * A reader that has been silent for a second is not waited for. */
static inline void* echolux_live_begin(echolux_live_writer* out) {
    echolux_live_header* header = out->header;
    if (header->policy == ECHOLUX_LIVE_BLOCK) {
        const uint64_t taken = __atomic_load_n(&header->taken, __ATOMIC_ACQUIRE);
        const uint64_t seen = __atomic_load_n(&header->reader_time_ns, __ATOMIC_RELAXED);
        const int waits = seen != 0 && echolux_live_now() < seen + 1000000000u;
        if (waits && out->next >= taken + header->slot_count) return NULL;
    }
    echolux_live_slot* slot = echolux_live_slot_of(header, out->next);
    __atomic_store_n(&slot->sequence, 2 * out->next + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* samples are written after this */
    return (char*)slot + ECHOLUX_LIVE_SLOT_HEADER;
}

/* Hands the frame on. `number`: the scanner's own; `time_ns`: -1 where unknown. `position` and
 * `rotation` say where the frame lies in the space of a tracker: see echolux_live_slot. NULL:
 * unknown. */
static inline void echolux_live_publish_at(echolux_live_writer* out, int64_t number,
                                           int64_t time_ns, const float position[3],
                                           const float rotation[4]) {
    echolux_live_header* header = out->header;
    echolux_live_slot* slot = echolux_live_slot_of(header, out->next);
    slot->number = number;
    slot->time_ns = time_ns;
    slot->bytes = header->frame_bytes;
    slot->placed = position != NULL && rotation != NULL;
    if (slot->placed) {
        memcpy(slot->position, position, sizeof slot->position);
        memcpy(slot->rotation, rotation, sizeof slot->rotation);
    }
    __atomic_store_n(&slot->sequence, 2 * out->next + 2, __ATOMIC_RELEASE);
    ++out->next;
    __atomic_store_n(&header->writer_time_ns, echolux_live_now(), __ATOMIC_RELAXED);
    __atomic_store_n(&header->published, out->next, __ATOMIC_RELEASE);
    __atomic_add_fetch(&header->signal, 1u, __ATOMIC_RELEASE);
    syscall(SYS_futex, &header->signal, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0);
}

/* The same without a place. */
static inline void echolux_live_publish(echolux_live_writer* out, int64_t number, int64_t time_ns) {
    echolux_live_publish_at(out, number, time_ns, NULL, NULL);
}

/* Says that no frame will come, and removes the name. A reader takes what is there. */
static inline void echolux_live_close(echolux_live_writer* out) {
    if (out->header == NULL) return;
    __atomic_store_n(&out->header->state, (uint32_t)ECHOLUX_LIVE_ENDED, __ATOMIC_RELEASE);
    __atomic_add_fetch(&out->header->signal, 1u, __ATOMIC_RELEASE);
    syscall(SYS_futex, &out->header->signal, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0);
    munmap(out->header, out->bytes);
    shm_unlink(out->name);
    out->header = NULL;
}

#ifdef __cplusplus
}
#endif
#endif
