package main

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The view of a body as written, without evaluation: the answer of mode "tree". For a broken source it has the readable parts.

type treeBody struct {
	Range      []int       `json:"range"`
	Attributes []treeAttr  `json:"attributes"`
	Blocks     []treeBlock `json:"blocks"`
}

type treeAttr struct {
	Name      string `json:"name"`
	Range     []int  `json:"range"`
	NameRange []int  `json:"name_range"`
	ExprRange []int  `json:"expr_range"`
	Refs      []Ref  `json:"refs"`
}

type treeBlock struct {
	Type        string   `json:"type"`
	Labels      []string `json:"labels"`
	Range       []int    `json:"range"`
	TypeRange   []int    `json:"type_range"`
	LabelRanges [][]int  `json:"label_ranges"`
	OpenBrace   []int    `json:"open_brace"`
	CloseBrace  []int    `json:"close_brace"`
	Body        treeBody `json:"body"`
}

func references(e hcl.Expression) []Ref {
	refs := []Ref{}
	for _, t := range e.Variables() {
		refs = append(refs, Ref{traversalString(t), rng(ptr(t.SourceRange()))})
	}
	return refs
}

// dumpTree lists attributes and blocks in source order.
func dumpTree(b *hclsyntax.Body) treeBody {
	out := treeBody{Range: rng(&b.SrcRange), Attributes: []treeAttr{}, Blocks: []treeBlock{}}
	for _, a := range b.Attributes {
		out.Attributes = append(out.Attributes, treeAttr{a.Name, rng(&a.SrcRange), rng(&a.NameRange), rng(ptr(a.Expr.Range())), references(a.Expr)})
	}
	sort.Slice(out.Attributes, func(i, j int) bool { return out.Attributes[i].NameRange[2] < out.Attributes[j].NameRange[2] })
	for _, bl := range b.Blocks {
		t := treeBlock{Type: bl.Type, Labels: append([]string{}, bl.Labels...), Range: rng(ptr(bl.Range())), TypeRange: rng(&bl.TypeRange),
			LabelRanges: [][]int{}, OpenBrace: rng(&bl.OpenBraceRange), CloseBrace: rng(&bl.CloseBraceRange), Body: dumpTree(bl.Body)}
		for i := range bl.LabelRanges {
			t.LabelRanges = append(t.LabelRanges, rng(&bl.LabelRanges[i]))
		}
		out.Blocks = append(out.Blocks, t)
	}
	return out
}
