/* ast.c: properties of a node that don't depend on its context. */
#include "syntax/ast.h"

static const char *const names[HX_AST_COUNT] = {
#define HX_AST(id, name, children) [HX_AST_##id] = name,
#include "syntax/ast_list.h"
#undef HX_AST
};

const bool hx_ast_leaves[HX_AST_COUNT] = {
#define HX_AST(id, name, children) [HX_AST_##id] = sizeof(children) == 1,
#include "syntax/ast_list.h"
#undef HX_AST
};

const char *hx_ast_kind_name(hx_ast_kind k) {
  return names[k];
}

hx_str hx_node_word(const hx_node *n) {
  if (n->kind == HX_AST_TRAVERSAL && n->count == 1) return hx_str_of(n->u.trav.steps[0].text, n->u.trav.steps[0].len);
  if (n->kind == HX_AST_BOOL) return n->op ? HX_STR("true") : HX_STR("false");
  return n->kind == HX_AST_NULL ? HX_STR("null") : HX_STR("");
}

hx_range hx_node_start_range(const hx_node *n) {
  for (;;) {
    switch ((hx_ast_kind)n->kind) {
      /* The range of these kinds begins with their first child. */
      case HX_AST_TEMPLATE:
      case HX_AST_JOIN:
      case HX_AST_CONDITIONAL:
      case HX_AST_BINARY:
      case HX_AST_KEY:
      case HX_AST_PARENS:
      case HX_AST_WITHIN: n = n->u.kids.first; break;
      case HX_AST_STRING: return n->u.text.mark;
      case HX_AST_UNARY:
      case HX_AST_SPLAT:
      case HX_AST_TUPLE:
      case HX_AST_OBJECT: return n->u.kids.mark;
      case HX_AST_INDEX: return hx_range_of(n->u.kids.mark.start, n->u.kids.mark.start + 1);
      case HX_AST_CALL: return hx_range_of(n->start, n->u.call.open + 1);
      case HX_AST_FOR: return n->u.loop.names->open;
      case HX_AST_NUMBER:
      case HX_AST_BOOL:
      case HX_AST_NULL:
      case HX_AST_TEXT:
      case HX_AST_WRAP:
      case HX_AST_TRAVERSAL:
      case HX_AST_RELATIVE:
      case HX_AST_ITEM:
      case HX_AST_BROKEN:
      case HX_AST_BODY:
      case HX_AST_ATTRIBUTE:
      case HX_AST_BLOCK:
      case HX_AST_LABEL:
      case HX_AST_EXPANDED:
      case HX_AST_DECODED:
      case HX_AST_ARGUMENT:
      case HX_AST_NESTED:
      case HX_AST_EACH:
      case HX_AST_FAULT:
      case HX_AST_COUNT: return hx_node_range(n);
    }
  }
}
