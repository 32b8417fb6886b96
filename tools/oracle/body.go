package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The views of bodies whose attributes are evaluated.

func sortedKeys[T any](m map[string]T) []string {
	keys := []string{}
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func ptr[T any](v T) *T { return &v }

// dumpValue is the view of an expression's value; it has "marks" only where the value carries some.
func dumpValue(e hcl.Expression, ctx *hcl.EvalContext, w *Want) map[string]any {
	v, d := e.Value(ctx)
	w.report(d)
	view := map[string]any{"type": typeJSON(v.Type()), "value": encodeValue(v)}
	if marks := encodeMarks(v); len(marks) > 0 {
		view["marks"] = marks
	}
	return view
}

func dumpAttributes(attributes hcl.Attributes, ctx *hcl.EvalContext, w *Want) map[string]any {
	out := map[string]any{}
	for _, n := range sortedKeys(attributes) {
		out[n] = dumpValue(attributes[n].Expr, ctx, w)
	}
	return out
}

// labelsOf is never null in JSON.
func labelsOf(labels []string) []string { return append([]string{}, labels...) }

// dumpBody gives a generic view: attributes evaluated, blocks in order.
func dumpBody(b *hclsyntax.Body, ctx *hcl.EvalContext, w *Want) any {
	attrs := map[string]any{}
	names := sortedKeys(b.Attributes)
	sort.Slice(names, func(i, j int) bool {
		return b.Attributes[names[i]].SrcRange.Start.Byte < b.Attributes[names[j]].SrcRange.Start.Byte
	})
	for _, n := range names {
		a := b.Attributes[n]
		view := dumpValue(a.Expr, ctx, w)
		view["name_range"], view["expr_range"] = rng(&a.NameRange), rng(ptr(a.Expr.Range()))
		attrs[n] = view
	}
	blocks := []any{}
	for _, bl := range b.Blocks {
		lr := []any{}
		for i := range bl.LabelRanges {
			lr = append(lr, rng(&bl.LabelRanges[i]))
		}
		blocks = append(blocks, map[string]any{"type": bl.Type, "labels": labelsOf(bl.Labels), "type_range": rng(&bl.TypeRange), "label_ranges": lr,
			"open_brace": rng(&bl.OpenBraceRange), "close_brace": rng(&bl.CloseBraceRange), "body": dumpBody(bl.Body, ctx, w)})
	}
	return map[string]any{"attributes": attrs, "blocks": blocks}
}

// dumpBySchema is the view of the items that a schema finds in a body; inner gives those of its blocks' bodies.
func dumpBySchema(b hcl.Body, schema *hcl.BodySchema, ctx *hcl.EvalContext, w *Want, inner func(*hcl.Block) any) any {
	content, d := b.Content(schema)
	w.report(d)
	attrs := dumpAttributes(content.Attributes, ctx, w)
	blocks := []any{}
	for _, bl := range content.Blocks {
		blocks = append(blocks, map[string]any{"type": bl.Type, "labels": labelsOf(bl.Labels), "body": inner(bl)})
	}
	return map[string]any{"attributes": attrs, "blocks": blocks}
}

// blockSchema names a block's labels l0, l1 and so on.
func blockSchema(kind string, labels int) hcl.BlockHeaderSchema {
	h := hcl.BlockHeaderSchema{Type: kind}
	for i := 0; i < labels; i++ {
		h.LabelNames = append(h.LabelNames, fmt.Sprintf("l%d", i))
	}
	return h
}

// schemaOf makes a schema from the source's own content.
func schemaOf(b *hclsyntax.Body) *hcl.BodySchema {
	s := &hcl.BodySchema{}
	seen := map[string]bool{}
	for n := range b.Attributes {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: n})
	}
	for _, bl := range b.Blocks {
		ty := bl.Type
		n := len(bl.Labels)
		if ty == "dynamic" && n == 1 {
			ty = bl.Labels[0]
			n = 0
			if l, ok := bl.Body.Attributes["labels"]; ok {
				if tup, ok := l.Expr.(*hclsyntax.TupleConsExpr); ok {
					n = len(tup.Exprs)
				}
			}
		}
		if seen[ty] {
			continue
		}
		seen[ty] = true
		s.Blocks = append(s.Blocks, blockSchema(ty, n))
	}
	return s
}

func contentBodies(b *hclsyntax.Body) map[string]*hclsyntax.Body {
	m := map[string]*hclsyntax.Body{}
	for _, bl := range b.Blocks {
		ty := bl.Type
		body := bl.Body
		if ty == "dynamic" && len(bl.Labels) == 1 {
			ty = bl.Labels[0]
			for _, in := range bl.Body.Blocks {
				if in.Type == "content" {
					body = in.Body
				}
			}
		}
		if _, ok := m[ty]; !ok {
			m[ty] = body
		}
	}
	return m
}

// dumpExpanded walks an expanded body by a schema made from its source.
func dumpExpanded(b hcl.Body, orig *hclsyntax.Body, ctx *hcl.EvalContext, w *Want) any {
	bodies := contentBodies(orig)
	return dumpBySchema(b, schemaOf(orig), ctx, w, func(bl *hcl.Block) any { return dumpExpanded(bl.Body, bodies[bl.Type], ctx, w) })
}

// dumpContent decodes a body by a given schema, dynamic blocks expanded.
func dumpContent(b hcl.Body, sch *Schema, ctx *hcl.EvalContext, w *Want) any {
	if sch == nil {
		sch = &Schema{}
	}
	schema := &hcl.BodySchema{}
	for _, n := range sch.Attrs {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: strings.TrimSuffix(n, "!"), Required: strings.HasSuffix(n, "!")})
	}
	for _, kind := range sortedKeys(sch.Blocks) {
		schema.Blocks = append(schema.Blocks, blockSchema(kind, sch.Blocks[kind].Labels))
	}
	return dumpBySchema(b, schema, ctx, w, func(bl *hcl.Block) any { return dumpContent(bl.Body, sch.Blocks[bl.Type].Body, ctx, w) })
}
