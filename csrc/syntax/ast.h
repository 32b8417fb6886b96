/* ast.h: the tree of a source: expressions, templates and bodies.
** A node has 48 bytes. Its children are a list through `next`, in source order: neither a long chain nor a wide tuple needs
** recursion or an array. No code walks the tree by C recursion, because chains of 100,000 operators are ordinary input.
** Memory: nodes, steps and decoded text live in the program's arena; undecoded text points into the source.
** Errors: none here. A part that could not be parsed is a BROKEN node and has its diagnostic. */
#ifndef HX_SYNTAX_AST_H
#define HX_SYNTAX_AST_H

#include "base/range.h"
#include "base/str.h"

typedef enum hx_ast_kind {
#define HX_AST(id, name, children) HX_AST_##id,
#include "syntax/ast_list.h"
#undef HX_AST
  HX_AST_COUNT
} hx_ast_kind;

typedef enum hx_op {
#define HX_OP(id, sym, tok, prec, arity, arg, result, name) HX_OP_##id,
#include "syntax/op_list.h"
#undef HX_OP
  HX_OP_COUNT
} hx_op;

enum {
  HX_AST_FULL = 1,         /* SPLAT: [*], not .* */
  HX_AST_EXPAND = 2,       /* CALL: last argument expanded */
  HX_AST_FORCED = 4,       /* KEY: (expr), never a literal name */
  HX_AST_HAS_KEY = 8,      /* FOR: it has keys, and makes an object */
  HX_AST_HAS_COND = 16,    /* FOR: it has an if clause */
  HX_AST_GROUP = 32,       /* FOR: `...` after the value */
  HX_AST_HEREDOC = 64,     /* TEMPLATE, STRING: a heredoc */
  HX_AST_BARE = 128,       /* TEMPLATE, STRING: the whole of a bare template source */
  HX_AST_DUPLICATE = 256,  /* ATTRIBUTE: the body already has one with this name */
  HX_AST_TORN = 256,       /* CALL: its arguments can't be counted; TEMPLATE: its directives may be incomplete */
  HX_AST_DIRECTIVE = 512,  /* CONDITIONAL, FOR: made from %{ if } or %{ for } */
  HX_AST_QUOTED = 1024,    /* LABEL: in quotes */
  HX_AST_JSON = 2048,      /* JSON syntax: values, KEY, and ATTRIBUTE, BLOCK and LABEL made from them */
  HX_AST_GENERATED = 4096, /* ARGUMENT: directly in the content of a `dynamic` block; BLOCK, BODY: see config/lower.h */
  HX_AST_UNREAD = 8192,    /* STRING of the JSON syntax: hx_json_template gives its value (json.h) */
  HX_AST_TOOK_YES = 16384, /* CONDITIONAL: an evaluation took this result (vm/machine/coverage.h) */
  HX_AST_TOOK_NO = 32768,
};

/* The kinds of steps of a traversal. */
typedef enum hx_step_kind {
  HX_STEP_ROOT,  /* text: the name */
  HX_STEP_ATTR,  /* .name       text: the name */
  HX_STEP_KEY,   /* ["key"]     text: decoded, NFC */
  HX_STEP_INDEX, /* [0] or .0   text: the number's characters, as written */
  HX_STEP_CONST, /* [true], [null]: a constant that is neither string nor number; text: true, false or null */
} hx_step_kind;

typedef struct hx_step {
  uint32_t start, stop; /* with the dot or brackets: `.name`, `[0]` */
  const char *text;
  uint32_t len;
  uint8_t kind; /* hx_step_kind */
} hx_step;

typedef struct hx_node hx_node;
struct hx_node {
  uint8_t kind; /* hx_ast_kind */
  uint8_t op;   /* hx_op of BINARY and UNARY; value of BOOL */
  uint16_t flags;
  uint32_t start, stop; /* the reference's Range() of the same expression */
  uint32_t count;       /* children, or steps of trav */
  hx_node *next;        /* next sibling */
  union {
    struct {
      hx_node *first;
      hx_range mark;
    } kids;
    struct {
      hx_node *first;
      hx_range mark;
      bool *found;
    } content; /* as kids; of a BODY that hx_content made, see config/content.h */
    struct {
      const char *p;
      uint32_t len;
      uint32_t place;
      hx_range mark;
    } text; /* mark: of a STRING, the range of its text, in JSON syntax with the quotes; place: of an UNREAD, where to parse it */
    struct {
      hx_step *steps;
      hx_node *source;
    } trav; /* source: RELATIVE only */
    struct {
      hx_node *first;
      uint32_t name_stop, open;
      uint32_t close_start;
    } call; /* name: [start, name_stop); `(` is at byte open; `)` at close_start */
    struct {
      hx_node *first;
      struct hx_loop *names;
    } loop; /* of a FOR */
    struct {
      hx_node *first;
      hx_str *name;
      uint32_t name_stop; /* of JSON syntax; else see hx_attribute_name_range */
    } attr;               /* ATTRIBUTE: name, and its range from start */
    struct {
      hx_node *first;
      struct hx_block_head *head;
    } block; /* of a BLOCK */
    struct {
      hx_node *first;
      const void *plan;
    } made; /* of nodes that config/ makes: see vm/body_plan.h */
    struct {
      hx_node *first;
      hx_str *name;
      const struct hx_argument_plan *plan; /* NULL: any value is allowed */
    } argument;                            /* ARGUMENT: made from an ATTRIBUTE; name and expression are in the same fields */
    struct hx_diag *fault;                 /* the diagnostic of a FAULT */
  } u;
};

/* Names of a `for`: key.len == 0 if it has no key. */
typedef struct hx_loop {
  hx_str key, value;
  hx_range key_range, value_range;
  hx_range open, close; /* `[` or `{`, and its closing bracket; of a directive: %{ for } and %{ endfor } */
  hx_range intro;       /* `for` to `:`; of a directive: the directive */
} hx_loop;

typedef struct hx_block_head {
  hx_str type;
  hx_range type_range, open_brace, close_brace;
  hx_range range;                      /* the type and labels; in JSON syntax the bracket of the value (reference: DefRange) */
  const struct hx_within_plan *within; /* of blocks from `dynamic` blocks (vm/body_plan.h), else NULL */
} hx_block_head;

/* A list of children that grows at its end. */
typedef struct hx_kids {
  hx_node *node, **tail;
} hx_kids;

/* Says which kinds have no children. */
extern const bool hx_ast_leaves[HX_AST_COUNT];
/* Returns the first child of a node of any kind; NULL for a leaf. */
HX_INLINE hx_node *hx_node_first(const hx_node *n);
/* Returns the list of a node's children, to add more. */
HX_INLINE hx_kids hx_kids_of(hx_node *n);
/* Adds a node that isn't in any list, or whose list isn't used any more. */
HX_INLINE void hx_kids_add(hx_kids *kids, hx_node *n);
/* Returns the range at which the reference reports the start of an expression (StartRange). */
hx_range hx_node_start_range(const hx_node *n);
HX_INLINE hx_range hx_node_range(const hx_node *n) {
  return (hx_range){ n->start, n->stop };
}
/* Returns the word if an expression is only a name or a constant that looks like one (reference: ExprAsKeyword); otherwise an empty
** text. */
hx_str hx_node_word(const hx_node *n);
/* Returns the text of a NUMBER, STRING, TEXT or LABEL. */
HX_INLINE hx_str hx_node_text(const hx_node *n) {
  return (hx_str){ n->u.text.p, n->u.text.len };
}
HX_INLINE hx_range hx_attribute_name_range(const hx_node *n) {
  return (hx_range){ n->start, n->flags & HX_AST_JSON ? n->u.attr.name_stop : n->start + n->u.attr.name->len };
}
const char *hx_ast_kind_name(hx_ast_kind k);

HX_INLINE hx_kids hx_kids_of(hx_node *n) {
  hx_kids kids = { n, &n->u.kids.first };
  while (*kids.tail) kids.tail = &(*kids.tail)->next;
  return kids;
}

HX_INLINE void hx_kids_add(hx_kids *kids, hx_node *n) {
  n->next = NULL;
  *kids->tail = n;
  kids->tail = &n->next;
  kids->node->count++;
}

HX_INLINE hx_node *hx_node_first(const hx_node *n) {
  if (n->kind == HX_AST_RELATIVE) return n->u.trav.source;
  return hx_ast_leaves[n->kind] ? NULL : n->u.kids.first;
}

#endif
