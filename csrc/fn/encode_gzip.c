/* encode_gzip.c: base64gzip, base64gunzip. Headers: fn/encode.h, library/zlib.h.
** The scratch arena frees zlib's own memory: limits may abort between two calls of zlib, never within one. */
#include "fn/arguments.h"
#include "fn/encode.h"
#include "library/library.h"
#include "library/zlib.h"
#include "text/unicode.h"

enum {
  PIECE = 16384, /* bytes made between two checks of the limits */
  BYTES_A_STEP = 4,
  /* the cost of zlib's tables, even for a short text: the tables for compressing take a quarter of a megabyte of fresh memory */
  COMPRESS_STEPS = 512,
  EXPAND_STEPS = 16,
  BLOCK_STEPS = 16, /* the cost of the tables for expanding one block, even a small one */
};

static const hx_zlib_memory memory = { hx_raw_alloc, hx_raw_free };

typedef bool open_stream(void *stream, hx_str input, const hx_zlib_memory *memory);

static void *new_stream(hx_cx *cx, const hx_zlib_library *zlib, open_stream *open, hx_str input) {
  void *stream = hx_arena_alloc(&cx->scratch, zlib->size);
  if (!open(stream, input, &memory)) hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, zlib->close, stream);
  return stream;
}

/* Adds a piece of output to b. The remaining steps limit the length of the piece. */
static hx_zlib_answer make_piece(hx_cx *cx, const hx_zlib_library *zlib, void *stream, hx_buf *b) {
  uint32_t room = cx->steps_left < PIECE / BYTES_A_STEP ? (uint32_t)cx->steps_left * BYTES_A_STEP : PIECE, made;
  if (!room) hx_abort(cx, HX_WHY_STEPS);
  hx_need_memory(cx, (uint64_t)b->len + room);
  hx_zlib_answer answer = zlib->work(stream, hx_buf_reserve(b, room), room, &made);
  b->len += made;
  hx_charge_steps(cx, made / BYTES_A_STEP);
  if (answer == HX_ZLIB_NO_MEMORY) hx_abort(cx, HX_WHY_NO_MEMORY);
  return answer;
}

static hx_val fail_missing(hx_call *call) {
  return hx_fail_lacking(call, "zlib", "compresses", "zlib1g-dev");
}

static hx_str compress_text(hx_cx *cx, const hx_zlib_library *zlib, hx_str s) {
  hx_buf b;
  hx_charge_steps(cx, s.len / BYTES_A_STEP);
  hx_charge_steps(cx, COMPRESS_STEPS);
  void *stream = new_stream(cx, zlib, zlib->open_deflate, s);
  hx_buf_init(&b, &cx->arena, PIECE);
  while (make_piece(cx, zlib, stream, &b) == HX_ZLIB_MORE) {}
  return hx_buf_done(&b);
}

hx_val hx_fn_base64gzip(hx_call *call, const hx_val *args) {
  const hx_zlib_library *zlib = hx_library_get(HX_LIBRARY_ZLIB);
  if (!zlib) return fail_missing(call);
  hx_arena_mark mark = hx_arena_get_mark(&call->cx->scratch);
  hx_str bytes = compress_text(call->cx, zlib, hx_val_str(&args[0]));
  hx_arena_release(&call->cx->scratch, mark);
  return hx_base64_value(call->cx, bytes);
}

/* Expands bytes into *text. Returns NULL, or what is wrong with the bytes. */
static const char *expand(hx_cx *cx, const hx_zlib_library *zlib, hx_str bytes, hx_str *text) {
  hx_buf b;
  hx_zlib_answer answer;
  hx_charge_steps(cx, EXPAND_STEPS);
  void *stream = new_stream(cx, zlib, zlib->open_inflate, bytes);
  hx_buf_init(&b, &cx->arena, PIECE);
  do {
    hx_charge_steps(cx, BLOCK_STEPS);
    answer = make_piece(cx, zlib, stream, &b);
  } while (answer == HX_ZLIB_MORE);
  *text = hx_buf_done(&b);
  if (answer == HX_ZLIB_DONE) return NULL;
  return answer == HX_ZLIB_SHORT ? "they end too early" : "they are damaged, or were not made by gzip";
}

hx_val hx_fn_base64gunzip(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  hx_str bytes, text;
  const hx_zlib_library *zlib = hx_library_get(HX_LIBRARY_ZLIB);
  if (!zlib) return fail_missing(call);
  if (!hx_base64_read(cx, hx_val_str(&args[0]), &bytes)) return hx_fail_base64(call, HX_BLAME_CALL);
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  const char *wrong = expand(cx, zlib, bytes, &text);
  hx_arena_release(&cx->scratch, mark);
  if (wrong) return hx_fail_call(call, "The base64 text decodes to bytes that are not gzip: %s.", wrong);
  if (!hx_utf8_valid(text)) return hx_fail_call(call, "The expanded bytes are not UTF-8, and a string holds UTF-8 only.");
  return hx_string_of(cx, text);
}
