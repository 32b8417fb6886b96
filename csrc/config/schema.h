/* schema.h: schemas say what a body may contain: attributes by name, and blocks by type, each type with a schema of its own.
** Memory: in the maker's arena; names and labels are borrowed from there, too.
** Errors: memory only. A schema from hx_schema_new is sound; binding/objects/schema.c reads one from Lua. */
#ifndef HX_CONFIG_SCHEMA_H
#define HX_CONFIG_SCHEMA_H

#include "vm/body_plan.h"

typedef struct hx_schema hx_schema;

typedef struct hx_schema_attribute {
  hx_str name;
  hx_argument_plan plan; /* type and default: for decoding only */
  bool required;
  bool kept;    /* the value isn't evaluated: decoding leaves it out, and the caller puts the Attribute in its place */
  bool literal; /* core.read_block returns a literal of the type as Lua data, not as an Attribute */
} hx_schema_attribute;

typedef struct hx_schema_block {
  hx_str type;
  hx_nested_plan plan; /* labels, nesting, bounds: all but `labels` for decoding only */
  const hx_schema *body;
} hx_schema_block;

struct hx_schema {
  const hx_schema_attribute *attributes; /* these and the blocks are sorted by name, in byte order */
  const hx_schema_block *blocks;
  uint32_t nattributes, nblocks;
  bool open;       /* any argument is allowed: for a schema that a body implies (hx_schema_infer) */
  bool no_dynamic; /* `dynamic` is an ordinary type of blocks: inside a `dynamic` block, and where none may be generated */
  bool partial;    /* items that the schema doesn't name belong to another schema (hx_content_rest) */
};

/* Makes a schema. Sorts both lists, which are borrowed. */
hx_schema *hx_schema_new(hx_cx *cx, hx_schema_attribute *attributes, uint32_t nattributes, hx_schema_block *blocks,
                         uint32_t nblocks);
/* Returns the schema that a body of native syntax implies: its arguments and types of blocks, each type with as many labels as its first
** block, static or `dynamic`. Bodies of blocks have no schema: each implies its own. */
const hx_schema *hx_schema_infer(hx_cx *cx, const struct hx_node *body);
/* Find an item by name; NULL: the schema has no such item. */
const hx_schema_attribute *hx_schema_attribute_of(const hx_schema *s, hx_str name);
const hx_schema_block *hx_schema_block_of(const hx_schema *s, hx_str type);

#endif
