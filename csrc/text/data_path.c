/* data_path.c: writes a place in data as text. */
#include "text/data_path.h"

#include "text/quote.h"
#include "text/unicode.h"

static void add(hx_way *w, hx_str key, int64_t index) {
  if (w->n == HX_WAY_STEPS) {
    w->longer = true;
    return;
  }
  w->steps[w->n].key = key;
  w->steps[w->n++].index = index;
}

void hx_way_key(hx_way *w, hx_str key) {
  add(w, key, 0);
}

void hx_way_index(hx_way *w, int64_t index) {
  add(w, (hx_str){ NULL, 0 }, index);
}

static void write_key(hx_buf *b, hx_str key) {
  if (hx_is_identifier(key)) {
    hx_buf_put(b, '.');
    hx_buf_str(b, key);
    return;
  }
  hx_buf_put(b, '[');
  hx_quote_json(b, key, false);
  hx_buf_put(b, ']');
}

void hx_way_write(hx_buf *b, const hx_way *w) {
  if (w->longer) hx_buf_c(b, "…");
  for (uint32_t i = w->n; i--;) {
    if (w->steps[i].key.p) write_key(b, w->steps[i].key);
    else hx_buf_f(b, "[%lld]", (long long)w->steps[i].index);
  }
}

hx_str hx_way_text(hx_cx *cx, const hx_way *w) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 64);
  hx_way_write(&b, w);
  hx_str text = hx_buf_done(&b);
  return text.len && text.p[0] == '.' ? hx_str_from(text, 1) : text;
}
