/* content.h: reads one level of a body by a schema: finds which items are attributes and blocks, what is missing and what is unexpected.
** The result is a BODY node. Its u.kids.mark is where a missing item is reported (reference: MissingItemRange). Its u.content.found has a
** flag for each attribute of the schema, and then one for each type of blocks: see hx_reading. Its items are, in source order:
**   ATTRIBUTE  as the native parser makes it: name, name range from `start`, expression
**   BLOCK      head, LABELs, and one child, the block's body, which isn't read yet: hx_content reads it in a later call
**   FAULT      a mistake, reported when the body is evaluated. Mistakes in a `dynamic` block's content are reported once for each
**              block that it generates, and so not at all if it generates nothing (reference)
** A body of native syntax is a BODY node. A body of JSON syntax is any other node, a value with the flag HX_AST_JSON. Both give the same
** kind of result, so no later stage knows the syntax.
** Memory: new nodes in cx->arena; they share names, labels and expressions with the tree.
** Errors: FAULTs; otherwise memory only. No recursion: one level at a time. */
#ifndef HX_CONFIG_CONTENT_H
#define HX_CONFIG_CONTENT_H

#include "base/cx.h"
#include "config/schema.h"
#include "syntax/ast.h"
#include "text/source.h"

/* Reads a body by a schema. schema NULL accepts everything: in native syntax attributes and blocks as they are, in JSON syntax all
** properties as attributes. Blocks of type "dynamic" with one label fit any schema without no_dynamic; the caller checks what they
** generate. */
hx_node *hx_content(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema);

/* Returns what a body has besides the items that a schema names, for another schema: a body of the same kind and place, without these
** attributes and blocks and, unless no_dynamic is set, without the `dynamic` blocks that generate such blocks. Reference:
** PartialContent. */
hx_node *hx_content_rest(hx_cx *cx, const hx_node *body, const hx_schema *schema);

/* Returns a body's items without a schema, for code that inspects the body as it is. Mistakes aren't reported, because the same body may be
** valid by a schema. Instead, if JSON syntax has mistakes, the first item is an ATTRIBUTE without a name, whose expression is a FAULT with
** all of them. */
const hx_node *hx_content_items(hx_cx *cx, const hx_source *src, const hx_node *body);

/* The two halves of hx_content: content_native.c and content_json.c. */
hx_node *hx_content_native(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema);
hx_node *hx_content_json(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema);
const hx_node *hx_content_json_items(hx_cx *cx, const hx_source *src, const hx_node *body);

/* For content_native.c, content_json.c, and the files that process a content further */

/* Returns a copy that isn't in any list. */
hx_node *hx_node_copy(hx_cx *cx, const hx_node *n);

/* A node, usually a BODY, to which children are being added. */
typedef struct hx_items {
  hx_cx *cx;
  const hx_source *src;
  hx_kids kids;
  uint32_t suggestions; /* how many suggestions were made: see hx_schema_near */
  uint32_t places;      /* how often hx_items_line was called */
} hx_items;
/* Begins an empty BODY with the range of `of`; missing: where a missing item is reported. */
void hx_items_begin(hx_items *items, hx_cx *cx, const hx_source *src, const hx_node *of, hx_range missing);
/* Adds a node that isn't in any list yet. */
HX_INLINE void hx_items_add(hx_items *items, hx_node *n) {
  hx_kids_add(&items->kids, n);
}
/* Adds a copy of a node that is in another list. Returns the copy. */
hx_node *hx_items_add_copy(hx_items *items, const hx_node *n);
/* Adds a FAULT with a diagnostic of diag_list.h. Returns the diagnostic, whose context the caller may set. Arguments as for hx_diag_add. */
hx_diag *hx_items_fault(hx_items *items, hx_diag_id id, hx_range subject, ...);

/* Returns the place of the first item with that name (an ATTRIBUTE, ARGUMENT or NESTED) for messages, such as "line 1". From call
** HX_DIAGS_MAX on, the text is less exact, because each call searches the items and may count the source's lines. */
hx_str hx_items_line(hx_items *items, hx_str name);

/* A body that is being read by a schema. */
typedef struct hx_reading {
  hx_items items;
  const hx_schema *schema; /* NULL: everything is allowed */
  bool *found; /* for each attribute: present, or meant by a wrong item; for each type of blocks: meant by a wrong item */
} hx_reading;
void hx_reading_begin(hx_reading *r, hx_cx *cx, const hx_source *src, const hx_node *body, hx_range missing,
                      const hx_schema *schema);
/* Adds a FAULT for each required attribute that wasn't found, at `at` among the items. The detail of `id` takes the attribute's name
** twice. */
void hx_reading_missing(hx_reading *r, hx_diag_id id, hx_node **at);
/* Notes that an item with a mistake was meant for a block of that type, so the schema's block isn't missing. */
void hx_found_block(bool *found, const hx_schema *schema, hx_str type);
/* Returns a sentence that suggests the name found by hx_schema_near, and notes that the item with that name isn't missing. */
hx_str hx_reading_suggest(hx_reading *r, hx_str name, bool attributes, bool blocks);
/* The head of a `dynamic` block, the same for all schemas. */
extern const hx_nested_plan hx_dynamic_head;
/* Returns the name in the schema that `name` was probably meant to be, for a FAULT of these items. Returns an empty text if no name is
** near, or after HX_DIAGS_MAX suggestions: a hostile body may have a mistake every few bytes. */
hx_str hx_schema_near(hx_items *items, const hx_schema *schema, hx_str name, bool attributes, bool blocks);

/* Makes a LABEL, which isn't in any list; flags: JSON, QUOTED. */
hx_node *hx_label_new(hx_cx *cx, hx_str text, hx_range range, uint16_t flags);
/* Returns the block's body, not read by a schema: a BODY, or a value of the JSON syntax. */
const hx_node *hx_block_body(const hx_node *block);
/* Returns how many labels the block has. */
uint32_t hx_block_labels(const hx_node *block);
/* Returns true if the block is a `dynamic` block of the source, and not a block that one generated. */
bool hx_is_dynamic(const hx_node *block);
/* Returns a text for messages, such as "2 labels (type, name)". */
hx_str hx_labels_text(hx_cx *cx, const hx_nested_plan *plan);

#endif
