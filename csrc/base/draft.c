/* draft.c: keeps the parts of drafts: for each its writer, the number of bytes kept, and these bytes. A draft inside
** another is given by its distance before it. */
#include "base/draft.h"

#include "base/print.h"

#define HEAD_SIZE (sizeof(hx_draft_fn *) + sizeof(uint32_t))

static const hx_str none = { NULL, 0 };

/* Where a draft begins: counted from 1, so that no text is NULL. */
static hx_str draft_at(uint32_t place) {
  return (hx_str){ (const char *)(uintptr_t)(place + 1), HX_DRAFT };
}

static uint32_t place_of(hx_str draft) {
  return (uint32_t)((uintptr_t)draft.p - 1);
}

static void store(char **at, const void *p, size_t n) {
  if (n) memcpy(*at, p, n);
  *at += n;
}

static void load(const char **at, void *p, size_t n) {
  memcpy(p, *at, n);
  *at += n;
}

/* Free bytes for one more draft. */
static uint32_t room(hx_cx *cx) {
  hx_drafts *d = cx->drafts;
  if (!d || !d->on) return 0;
  if (!d->p) d->p = hx_alloc(cx, HX_DRAFTS_ROOM);
  uint32_t left = HX_DRAFTS_ROOM - d->n;
  return left < HEAD_SIZE ? 0 : left - (uint32_t)HEAD_SIZE;
}

static char *next_place(const hx_cx *cx) {
  return cx->drafts->p + cx->drafts->n + HEAD_SIZE;
}

/* The bytes kept for it are at next_place. */
static hx_str finish(hx_cx *cx, hx_draft_fn *write, uint32_t size) {
  hx_drafts *d = cx->drafts;
  char *at = d->p + d->n;
  hx_str draft = draft_at(d->n);
  store(&at, &write, sizeof write);
  store(&at, &size, sizeof size);
  d->n += (uint32_t)HEAD_SIZE + size;
  return draft;
}

hx_str hx_draft_new(hx_cx *cx, hx_draft_fn *write, uint32_t size, char **at) {
  if (room(cx) < size) return none;
  *at = next_place(cx);
  return finish(cx, write, size);
}

/* Formats */

static void write_format(hx_cx *cx, hx_buf *b, hx_str kept) {
  uint32_t self = (uint32_t)(kept.p - cx->drafts->p - (ptrdiff_t)HEAD_SIZE), back;
  const char *at = kept.p, *fmt;
  load(&at, &fmt, sizeof fmt);
  for (;;) {
    hx_spec spec;
    hx_arg arg;
    hx_buf_str(b, hx_print_next(&fmt, &spec));
    if (!spec.letter) return;
    if (!hx_spec_is_text(&spec)) {
      load(&at, &arg.number, sizeof arg.number);
    } else {
      load(&at, &arg.text.len, sizeof arg.text.len);
      if (hx_is_draft(arg.text)) {
        load(&at, &back, sizeof back);
        arg.text = draft_at(self - back);
      } else {
        arg.text.p = at;
        at += arg.text.len;
      }
    }
    hx_print_put(b, &spec, &arg);
  }
}

static bool learn(hx_known_format *f, const char *fmt) {
  const char *next = fmt;
  *f = (hx_known_format){ .fmt = fmt };
  for (;;) {
    hx_spec spec;
    hx_print_next(&next, &spec);
    if (!spec.letter) return true;
    if (f->n == HX_FORMAT_ARGS || spec.letter == '%') return false;
    f->letters[f->n++] = !spec.wide ? spec.letter : spec.letter == 'd' ? 'D' : 'U';
  }
}

/* NULL: it takes more, or other things, than are kept. */
static const hx_known_format *find_format(hx_drafts *d, const char *fmt) {
  hx_known_format *f;
  for (uint32_t i = 0; i < d->nformats; i++)
    if (d->formats[i].fmt == fmt) return &d->formats[i];
  f = &d->formats[d->next];
  if (!learn(f, fmt)) {
    f->fmt = NULL;
    return NULL;
  }
  if (d->nformats < HX_FORMATS) d->nformats++;
  d->next = (uint8_t)((d->next + 1) % HX_FORMATS);
  return f;
}

/* Keeps a text of the next draft at `at`, before `end`; returns what follows. NULL: there is no room. */
HX_INLINE char *keep_text(const hx_drafts *d, char *at, const char *end, hx_str s) {
  uint32_t back = 0;
  if (HX_UNLIKELY((size_t)(end - at) < sizeof s.len + sizeof back)) return NULL;
  memcpy(at, &s.len, sizeof s.len);
  at += sizeof s.len;
  if (hx_is_draft(s)) {
    back = d->n - place_of(s);
    memcpy(at, &back, sizeof back);
    return at + sizeof back;
  }
  if (HX_UNLIKELY((size_t)(end - at) < s.len)) return NULL;
  if (s.len) memcpy(at, s.p, s.len);
  return at + s.len;
}

HX_INLINE char *keep_number(char *at, const char *end, int64_t n) {
  if (HX_UNLIKELY((size_t)(end - at) < sizeof n)) return NULL;
  memcpy(at, &n, sizeof n);
  return at + sizeof n;
}

hx_str hx_draft_format(hx_cx *cx, const char *fmt, va_list *given) {
  hx_drafts *d = cx->drafts;
  const hx_known_format *f;
  va_list args;
  if (room(cx) < sizeof fmt || !(f = find_format(d, fmt))) return none;
  va_copy(args, *given); /* here, for a list that has just been begun is slow to copy */
  char *start = next_place(cx), *at = start + sizeof fmt;
  const char *end = d->p + HX_DRAFTS_ROOM;
  memcpy(start, &fmt, sizeof fmt);
  for (uint32_t i = 0; i < f->n && at; i++) {
    hx_str s;
    switch (f->letters[i]) {
      case 'S':
        s.len = (uint32_t)va_arg(args, int);
        s.p = va_arg(args, const char *);
        at = keep_text(d, at, end, s);
        break;
      case 's': at = keep_text(d, at, end, hx_str_c(va_arg(args, const char *))); break;
      case 'D': at = keep_number(at, end, va_arg(args, long long)); break;
      case 'U': at = keep_number(at, end, (int64_t)va_arg(args, unsigned long long)); break;
      case 'c':
      case 'd': at = keep_number(at, end, va_arg(args, int)); break;
      default: at = keep_number(at, end, (int64_t)va_arg(args, unsigned)); break;
    }
  }
  va_end(args);
  return at ? finish(cx, write_format, (uint32_t)(at - start)) : none;
}

/* Writing */

static void put_draft(hx_buf *b, hx_str draft) {
  hx_cx *cx = b->arena->cx;
  HX_ASSERT(cx->drafts && place_of(draft) < cx->drafts->n);
  hx_stack_check();
  const char *at = cx->drafts->p + place_of(draft);
  hx_draft_fn *write;
  uint32_t size;
  load(&at, &write, sizeof write);
  load(&at, &size, sizeof size);
  bool on = cx->drafts->on;
  cx->drafts->on = false;
  write(cx, b, hx_str_of(at, size));
  cx->drafts->on = on;
}

void hx_draft_put(hx_buf *b, hx_str s) {
  if (hx_is_draft(s)) put_draft(b, s);
  else hx_buf_str(b, s);
}

hx_str hx_draft_write(hx_cx *cx, hx_str s) {
  hx_buf b;
  if (!hx_is_draft(s)) return s;
  hx_buf_init(&b, &cx->arena, 96);
  put_draft(&b, s);
  return hx_buf_done(&b);
}
