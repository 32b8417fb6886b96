/* yaml_read.c: turns YAML events into values, without recursion: open containers are on a separate stack. */
#include "fn/yaml.h"

#include "base/vec.h"

#define NO_ANCHOR UINT32_MAX

/* The value that an anchor names. An alias shares the value, but is charged as if it were written out, so that later work on the
** value never exceeds what was charged. */
typedef struct yaml_anchor {
  hx_val v;         /* NONE until the first value of this name is complete */
  uint32_t pending; /* number of open containers of this name */
  uint32_t depth;   /* levels of v */
  uint64_t size;    /* memory of v, with aliases written out */
} yaml_anchor;

/* An open container. Its elements and keys are the last ones of the reader's two vectors. */
typedef struct yaml_level {
  bool mapping, merge;     /* merge: the next value is to be merged into the mapping */
  uint32_t elements, keys; /* where they begin in these vectors */
  uint32_t anchor;
  uint32_t depth; /* number of levels inside */
  uint64_t size;
} yaml_level;

/* A complete value, and its size. */
typedef struct yaml_node {
  hx_val v;
  uint32_t depth;
  uint64_t size;
} yaml_node;

typedef struct yaml_state {
  hx_cx *cx;
  hx_yaml_reader *reader;
  hx_yaml_event event;
  HX_VEC(yaml_level) levels;
  HX_VEC(hx_val) values;
  HX_VEC(hx_str) keys;
  HX_VEC(yaml_anchor) anchors;
  hx_obj_builder names; /* the anchors' names, in their order; without values */
  hx_str *why;
} yaml_state;

static bool wrong(yaml_state *s, const char *why) {
  *s->why = hx_strf(s->cx, "line %u: %s", s->event.line, why);
  return false;
}

static bool next(yaml_state *s) {
  return hx_yaml_next(s->reader, &s->event, s->why);
}

static uint64_t sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Anchors */

static uint32_t anchor_index(yaml_state *s, hx_str name) {
  if (name.len == 0) return NO_ANCHOR;
  uint32_t at = hx_obj_builder_index(&s->names, hx_str_copy(s->cx, name));
  if (at == s->anchors.n) *HX_VEC_PUSH(&s->cx->scratch, &s->anchors) = (yaml_anchor){ .v = hx_none() };
  return at;
}

static void keep_anchor(yaml_state *s, uint32_t index, const yaml_node *node) {
  if (index == NO_ANCHOR) return;
  yaml_anchor *a = &s->anchors.p[index];
  a->v = node->v;
  a->depth = node->depth;
  a->size = node->size;
}

static bool read_alias(yaml_state *s, yaml_node *out) {
  uint32_t index = anchor_index(s, s->event.anchor); /* may move the array of anchors */
  const yaml_anchor *a = &s->anchors.p[index];
  if (a->pending) return wrong(s, "an alias is inside its own anchor, so the value would have no end");
  if (a->v.tag == HX_T_NONE) return wrong(s, "an alias names no anchor that came before it");
  hx_check_depth(s->cx, (uint64_t)s->levels.n + a->depth);
  hx_charge_memory(s->cx, a->size);
  *out = (yaml_node){ a->v, a->depth, a->size };
  return true;
}

/* Scalars */

static uint64_t scalar_size(const hx_val *v) {
  return 16 + (v->tag == HX_T_STR ? (uint64_t)v->len : 0);
}

static bool read_scalar(yaml_state *s, yaml_node *out) {
  bool merge;
  uint32_t anchor = anchor_index(s, s->event.anchor);
  if (!hx_yaml_resolve(s->cx, &s->event, &out->v, &merge, s->why)) return false;
  /* A block without a tag is text, but is first read like a plain scalar, as in the reference: `|- yes` is "true". */
  if (s->event.style == HX_YAML_BLOCK && s->event.tag.len == 0 && out->v.tag != HX_T_STR) {
    if (hx_is_null(&out->v)) out->v = hx_null(&hx_type_string);
    else out->v = hx_to_string_fast(s->cx, &out->v);
  }
  out->depth = 0;
  out->size = scalar_size(&out->v);
  keep_anchor(s, anchor, out);
  return true;
}

/* Reads a key, or sets the level's `merge` for the key <<. Anchors of keys are ignored. */
static bool read_key(yaml_state *s) {
  yaml_level *level = &s->levels.p[s->levels.n - 1];
  hx_val v;
  if (s->event.kind != HX_YAML_SCALAR) return wrong(s, "a key must be a scalar");
  if (!hx_yaml_resolve(s->cx, &s->event, &v, &level->merge, s->why)) return false;
  if (level->merge) return true;
  if (hx_is_null(&v)) return wrong(s, "a key is null; write it in quotes");
  if (v.tag != HX_T_STR) v = hx_to_string_fast(s->cx, &v);
  level->size = sum(level->size, 16 + (uint64_t)v.len);
  *HX_VEC_PUSH(&s->cx->scratch, &s->keys) = hx_val_str(&v);
  return true;
}

/* Containers */

static bool open_level(yaml_state *s) {
  bool mapping = s->event.kind == HX_YAML_MAPPING;
  hx_str tag = mapping ? HX_STR("tag:yaml.org,2002:map") : HX_STR("tag:yaml.org,2002:seq");
  if (s->event.tag.len && !hx_str_eq(s->event.tag, tag)) {
    *s->why = hx_strf(s->cx, "line %u: a %s can't have the tag %.*s", s->event.line, mapping ? "mapping" : "sequence",
                      HX_STR_ARG(s->event.tag));
    return false;
  }
  uint32_t anchor = anchor_index(s, s->event.anchor);
  if (anchor != NO_ANCHOR) s->anchors.p[anchor].pending++;
  *HX_VEC_PUSH(&s->cx->scratch, &s->levels) =
      (yaml_level){ .mapping = mapping, .elements = s->values.n, .keys = s->keys.n, .anchor = anchor, .size = 16 };
  hx_check_depth(s->cx, s->levels.n);
  return true;
}

static hx_val build_object(yaml_state *s, const yaml_level *level) {
  uint32_t n = s->keys.n - level->keys;
  hx_obj_builder b;
  hx_obj_builder_init(&b, s->cx, n);
  for (uint32_t i = 0; i < n; i++) *hx_obj_builder_put(&b, s->keys.p[level->keys + i]) = s->values.p[level->elements + i];
  return hx_obj_builder_object(&b);
}

static hx_val build_tuple(yaml_state *s, const yaml_level *level) {
  uint32_t n = s->values.n - level->elements;
  if (n == 0) return hx_empty_tuple;
  hx_val *v = HX_NEW_ARRAY(s->cx, hx_val, n);
  memcpy(v, s->values.p + level->elements, n * sizeof *v);
  return hx_tuple(s->cx, v, n);
}

static void close_level(yaml_state *s, yaml_node *out) {
  yaml_level level = s->levels.p[--s->levels.n];
  out->v = level.mapping ? build_object(s, &level) : build_tuple(s, &level);
  out->depth = level.depth + 1;
  out->size = level.size;
  s->values.n = level.elements;
  s->keys.n = level.keys;
  if (level.anchor != NO_ANCHOR) s->anchors.p[level.anchor].pending--;
  keep_anchor(s, level.anchor, out);
}

/* Adds the entries of a mapping to the open mapping, in the order of the text: later entries win. */
static bool merge_in(yaml_state *s, const hx_val *v) {
  if (v->tag != HX_T_OBJECT) return wrong(s, "only a mapping can be merged in by <<");
  const hx_shape *shape = v->u.obj->shape;
  hx_charge_steps(s->cx, v->len);
  hx_need_memory(s->cx, (uint64_t)v->len * 32);
  for (uint32_t i = 0; i < v->len; i++) {
    *HX_VEC_PUSH(&s->cx->scratch, &s->keys) = shape->keys[i];
    *HX_VEC_PUSH(&s->cx->scratch, &s->values) = v->u.obj->v[i];
  }
  return true;
}

static bool add(yaml_state *s, const yaml_node *node) {
  yaml_level *level = &s->levels.p[s->levels.n - 1];
  level->size = sum(level->size, node->size);
  if (node->depth > level->depth) level->depth = node->depth;
  if (level->mapping && level->merge) return merge_in(s, &node->v);
  *HX_VEC_PUSH(&s->cx->scratch, &s->values) = node->v;
  return true;
}

/* Reads the event as a value, or opens a container and sets *open. */
static bool read_node(yaml_state *s, yaml_node *out, bool *open) {
  *open = false;
  switch (s->event.kind) {
    case HX_YAML_SCALAR: return read_scalar(s, out);
    case HX_YAML_ALIAS: return read_alias(s, out);
    case HX_YAML_SEQUENCE:
    case HX_YAML_MAPPING: *open = true; return open_level(s);
    case HX_YAML_STREAM_END:
    case HX_YAML_DOCUMENT_START:
    case HX_YAML_DOCUMENT_END:
    case HX_YAML_SEQUENCE_END:
    case HX_YAML_MAPPING_END: break;
  }
  return wrong(s, "a value is expected here");
}

/* Sets *end to whether the innermost container ends here. If it goes on and is a mapping, reads a key and the event of its value. */
static bool in_container(yaml_state *s, bool *end) {
  *end = s->event.kind == HX_YAML_MAPPING_END || s->event.kind == HX_YAML_SEQUENCE_END;
  if (*end || !s->levels.p[s->levels.n - 1].mapping) return true;
  return read_key(s) && next(s);
}

static bool read_root(yaml_state *s, hx_val *out) {
  yaml_node node;
  do {
    bool end = false, open = false;
    if (!next(s)) return false;
    if (s->levels.n && !in_container(s, &end)) return false;
    if (end) close_level(s, &node);
    else if (!read_node(s, &node, &open)) return false;
    if (!open && s->levels.n && !add(s, &node)) return false;
  } while (s->levels.n);
  *out = node.v;
  return true;
}

static bool read_stream(yaml_state *s, hx_val *out) {
  if (!next(s)) return false;
  if (s->event.kind != HX_YAML_DOCUMENT_START) return wrong(s, "it holds no document, not even an empty one");
  if (!read_root(s, out) || !next(s)) return false;
  if (s->event.kind != HX_YAML_DOCUMENT_END) return wrong(s, "only one value is allowed");
  if (!next(s)) return false;
  return s->event.kind == HX_YAML_STREAM_END || wrong(s, "only one document is allowed");
}

bool hx_yaml_read(hx_cx *cx, hx_str text, hx_val *out, hx_str *why) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  yaml_state s = { .cx = cx, .why = why };
  hx_obj_builder_init(&s.names, cx, 0);
  s.reader = hx_yaml_reader_new(cx, text);
  bool ok = read_stream(&s, out);
  hx_arena_release(&cx->scratch, mark);
  return ok;
}
