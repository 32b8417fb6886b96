/* encode_gzip.c: base64gzip, base64gunzip. The only user of zlib. Headers: fn/encode.h.
** zlib's own memory is freed by the scratch arena: limits may abort between two calls of it, never within one. */
#include "fn/encode.h"

#include "fn/arguments.h"
#include "text/unicode.h"

#ifdef HX_HAS_ZLIB
#include <zlib.h>

enum {
  GZIP_WINDOW = 15 + 16, /* zlib's way of saying: the largest window, and gzip's header and trailer */
  MEMORY_LEVEL = 8,
  PIECE = 16384, /* bytes made between two looks at the limits */
  BYTES_A_STEP = 4,
  OPEN_STEPS = 16,  /* for zlib's tables, however short the text is */
  BLOCK_STEPS = 16, /* for those of a block that is expanded, however little comes of it */
};

static void *take(void *opaque, unsigned int n, unsigned int size) {
  (void)opaque;
  if (size && n > SIZE_MAX / size) return NULL;
  return hx_raw_alloc((size_t)n * size);
}

static void give(void *opaque, void *p) {
  (void)opaque;
  hx_raw_free(p);
}

static void end_deflate(void *z) {
  deflateEnd(z);
}
static void end_inflate(void *z) {
  inflateEnd(z);
}

static z_stream *new_stream(hx_cx *cx) {
  hx_charge_steps(cx, OPEN_STEPS);
  z_stream *z = hx_arena_alloc(&cx->scratch, sizeof *z);
  *z = (z_stream){ .zalloc = take, .zfree = give };
  return z;
}

/* zlib's input is not const in its old headers, and is never written to. */
static void set_input(z_stream *z, hx_str s) {
  union {
    const char *from;
    Bytef *to;
  } p = { .from = s.p };
  z->next_in = p.to;
  z->avail_in = s.len;
}

/* One piece of output, or less, at the end of b: no more than the steps that are left pay for. Answers what zlib does. */
static int make_piece(hx_cx *cx, z_stream *z, int (*work)(z_stream *z, int flush), int flush, hx_buf *b) {
  uint32_t room = cx->steps_left < PIECE / BYTES_A_STEP ? (uint32_t)cx->steps_left * BYTES_A_STEP : PIECE;
  if (!room) hx_abort(cx, HX_WHY_STEPS);
  hx_need_memory(cx, (uint64_t)b->len + room);
  z->next_out = (Bytef *)hx_buf_reserve(b, room);
  z->avail_out = room;
  int answer = work(z, flush);
  uint32_t made = room - z->avail_out;
  b->len += made;
  hx_charge_steps(cx, made / BYTES_A_STEP);
  return answer;
}

static hx_str compress_text(hx_cx *cx, hx_str s) {
  z_stream *z = new_stream(cx);
  /* Time 0 and system "unknown": the same text always gives the same bytes. */
  gz_header header = { .os = 255 };
  hx_buf b;
  hx_charge_steps(cx, s.len / BYTES_A_STEP);
  if (deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, end_deflate, z);
  deflateSetHeader(z, &header);
  set_input(z, s);
  hx_buf_init(&b, &cx->arena, PIECE);
  while (make_piece(cx, z, deflate, Z_FINISH, &b) == Z_OK) {}
  return hx_buf_done(&b);
}

hx_val hx_fn_base64gzip(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  hx_arena_mark mark = hx_arena_get_mark(&call->cx->scratch);
  hx_str bytes = compress_text(call->cx, hx_val_str(&args[0]));
  hx_arena_release(&call->cx->scratch, mark);
  return hx_base64_value(call->cx, bytes);
}

/* Files of several members follow one another. NULL, or what is wrong. */
static const char *expand(hx_cx *cx, hx_str bytes, hx_str *text) {
  z_stream *z = new_stream(cx);
  hx_buf b;
  int answer;
  if (inflateInit2(z, GZIP_WINDOW) != Z_OK) hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, end_inflate, z);
  set_input(z, bytes);
  hx_buf_init(&b, &cx->arena, PIECE);
  do {
    hx_charge_steps(cx, BLOCK_STEPS);
    answer = make_piece(cx, z, inflate, Z_BLOCK, &b); /* stops at the end of a block, of which thousands may give nothing */
    if (answer == Z_STREAM_END && z->avail_in) answer = inflateReset(z);
  } while (answer == Z_OK);
  *text = hx_buf_done(&b);
  if (answer == Z_MEM_ERROR) hx_abort(cx, HX_WHY_NO_MEMORY);
  if (answer == Z_STREAM_END) return NULL;
  return answer == Z_BUF_ERROR ? "they end too early" : "they are damaged, or were not made by gzip";
}

hx_val hx_fn_base64gunzip(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  hx_cx *cx = call->cx;
  hx_str bytes, text;
  if (!hx_base64_read(cx, hx_val_str(&args[0]), &bytes)) return hx_fail_base64(call, HX_BLAME_CALL);
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  const char *wrong = expand(cx, bytes, &text);
  hx_arena_release(&cx->scratch, mark);
  if (wrong) return hx_fail_call(call, "The bytes behind the base64 text are not gzip's: %s.", wrong);
  if (!hx_utf8_valid(text)) return hx_fail_call(call, "The expanded bytes are no UTF-8, and a string can't hold others.");
  return hx_string_of(cx, text);
}

#else

static hx_val fail_missing(hx_call *call) {
  return hx_fail_lacking(call, "zlib", "compresses", "zlib1g-dev");
}

hx_val hx_fn_base64gzip(hx_call *call, const hx_val *args, uint32_t n) {
  (void)args, (void)n;
  return fail_missing(call);
}

hx_val hx_fn_base64gunzip(hx_call *call, const hx_val *args, uint32_t n) {
  (void)args, (void)n;
  return fail_missing(call);
}

#endif
