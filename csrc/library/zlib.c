/* zlib.c: gzip by zlib. */
#include "library/zlib.h"

#include <zlib.h>

enum {
  GZIP_WINDOW = 15 + 16, /* zlib's number for the largest window, with gzip's header and trailer */
  MEMORY_LEVEL = 8,
};

typedef struct zlib_stream {
  z_stream z;
  gz_header header;
  const hx_zlib_memory *memory;
  bool expands;
} zlib_stream;

static void *take(void *opaque, unsigned int n, unsigned int size) {
  const zlib_stream *s = opaque;
  return size && n > SIZE_MAX / size ? NULL : s->memory->take((size_t)n * size);
}

static void give(void *opaque, void *p) {
  const zlib_stream *s = opaque;
  s->memory->give(p);
}

/* Makes a stream. Old headers of zlib declare its input without const, so the union drops that; zlib never writes to the input. */
static zlib_stream *make_stream(void *stream, hx_str input, const hx_zlib_memory *memory, bool expands) {
  zlib_stream *s = stream;
  union {
    const char *from;
    Bytef *to;
  } p = { .from = input.p };
  *s = (zlib_stream){ .z = { .zalloc = take, .zfree = give, .opaque = s }, .memory = memory, .expands = expands };
  s->z.next_in = p.to;
  s->z.avail_in = input.len;
  return s;
}

static bool open_deflate(void *stream, hx_str input, const hx_zlib_memory *memory) {
  zlib_stream *s = make_stream(stream, input, memory, false);
  if (deflateInit2(&s->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return false;
  /* The time is 0 and the system "unknown", so that the same text always gives the same bytes. */
  s->header = (gz_header){ .os = 255 };
  deflateSetHeader(&s->z, &s->header);
  return true;
}

static bool open_inflate(void *stream, hx_str input, const hx_zlib_memory *memory) {
  return inflateInit2(&make_stream(stream, input, memory, true)->z, GZIP_WINDOW) == Z_OK;
}

static hx_zlib_answer work(void *stream, char *out, uint32_t room, uint32_t *made) {
  zlib_stream *s = stream;
  s->z.next_out = (Bytef *)out;
  s->z.avail_out = room;
  int answer = s->expands ? inflate(&s->z, Z_BLOCK) : deflate(&s->z, Z_FINISH);
  *made = room - s->z.avail_out;
  if (s->expands && answer == Z_STREAM_END && s->z.avail_in) answer = inflateReset(&s->z);
  switch (answer) {
    case Z_OK: return HX_ZLIB_MORE;
    case Z_STREAM_END: return HX_ZLIB_DONE;
    case Z_BUF_ERROR: return HX_ZLIB_SHORT;
    case Z_MEM_ERROR: return HX_ZLIB_NO_MEMORY;
    default: return HX_ZLIB_DAMAGED;
  }
}

static void close_stream(void *stream) {
  zlib_stream *s = stream;
  if (s->expands) inflateEnd(&s->z);
  else deflateEnd(&s->z);
}

const hx_zlib_library hx_library_zlib = { sizeof(zlib_stream), open_deflate, open_inflate, work, close_stream };
