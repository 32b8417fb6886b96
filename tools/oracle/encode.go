package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// The form of places, diagnostics, values, types and marks in a case.

func rng(r *hcl.Range) []int {
	if r == nil {
		return nil
	}
	return []int{r.Start.Line, r.Start.Column, r.Start.Byte, r.End.Line, r.End.Column, r.End.Byte}
}

// verbose prints a message of the reference if VERBOSE is set.
func verbose(err error) {
	if os.Getenv("ORACLE_VERBOSE") != "" {
		fmt.Fprintln(os.Stderr, err)
	}
}

func diags(d hcl.Diagnostics) (errs, warns []Diag) {
	for _, x := range d {
		if x.Severity == hcl.DiagError {
			errs = append(errs, Diag{Range: rng(x.Subject)})
			verbose(x)
		} else {
			warns = append(warns, Diag{Range: rng(x.Subject)})
		}
	}
	return
}

// refinements returns the known facts of an unknown value.
func refinements(v cty.Value) map[string]any {
	m, ty := map[string]any{}, v.Type()
	if ty == cty.DynamicPseudoType {
		return m
	}
	r := v.Range()
	if r.DefinitelyNotNull() {
		m["not_null"] = true
	}
	switch {
	case ty == cty.String:
		if p := r.StringPrefix(); p != "" {
			m["prefix"] = p
		}
	case ty == cty.Number:
		lo, li := r.NumberLowerBound()
		hi, hi2 := r.NumberUpperBound()
		if lo.IsKnown() && lo.Type() == cty.Number && !lo.RawEquals(cty.NegativeInfinity) {
			m["min"] = []any{lo.AsBigFloat().Text('f', -1), li}
		}
		if hi.IsKnown() && hi.Type() == cty.Number && !hi.RawEquals(cty.PositiveInfinity) {
			m["max"] = []any{hi.AsBigFloat().Text('f', -1), hi2}
		}
	case ty.IsCollectionType():
		if lo := r.LengthLowerBound(); lo > 0 {
			m["min_length"] = lo
		}
		if hi := r.LengthUpperBound(); hi < 1<<62 {
			m["max_length"] = hi
		}
	}
	return m
}

func encodeValue(v cty.Value) any {
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	ty := v.Type()
	if !v.IsKnown() {
		return map[string]any{"$unknown": refinements(v)}
	}
	if v.IsNull() {
		return nil
	}
	switch {
	case ty == cty.String:
		return v.AsString()
	case ty == cty.Number:
		f := v.AsBigFloat()
		if f.IsInf() {
			if f.Sign() > 0 {
				return "Inf"
			}
			return "-Inf"
		}
		return f.Text('f', -1)
	case ty == cty.Bool:
		return v.True()
	case ty.IsListType() || ty.IsTupleType() || ty.IsSetType():
		out := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			out = append(out, encodeValue(e))
		}
		return out
	case ty.IsMapType() || ty.IsObjectType():
		out := map[string]any{}
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			out[k.AsString()] = encodeValue(e)
		}
		return out
	case ty.IsCapsuleType():
		return map[string]any{"$capsule": ty.FriendlyName()}
	}
	return fmt.Sprintf("%#v", v)
}

func markName(m any) string { return fmt.Sprint(m) }

func encodeMarks(v cty.Value) []MarkAt {
	var out []MarkAt
	_, pvm := v.UnmarkDeepWithPaths()
	for _, p := range pvm {
		at := MarkAt{Path: []any{}}
		for _, step := range p.Path {
			switch s := step.(type) {
			case cty.GetAttrStep:
				at.Path = append(at.Path, s.Name)
			case cty.IndexStep:
				if s.Key.Type() == cty.String {
					at.Path = append(at.Path, s.Key.AsString())
				} else if s.Key.Type() == cty.Number {
					n, _ := s.Key.AsBigFloat().Int64()
					at.Path = append(at.Path, n)
				} else {
					at.Path = append(at.Path, "?")
				}
			}
		}
		for m := range p.Marks {
			at.Marks = append(at.Marks, markName(m))
		}
		sort.Strings(at.Marks)
		out = append(out, at)
	}
	sort.Slice(out, func(i, j int) bool { return fmt.Sprint(out[i].Path) < fmt.Sprint(out[j].Path) })
	return out
}

func mustJSON(v any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return json.RawMessage(strings.TrimSpace(b.String()))
}

func typeJSON(t cty.Type) any {
	switch {
	case t == cty.DynamicPseudoType:
		return "dynamic"
	case t == cty.String:
		return "string"
	case t == cty.Number:
		return "number"
	case t == cty.Bool:
		return "bool"
	case t.IsListType():
		return []any{"list", typeJSON(t.ElementType())}
	case t.IsSetType():
		return []any{"set", typeJSON(t.ElementType())}
	case t.IsMapType():
		return []any{"map", typeJSON(t.ElementType())}
	case t.IsTupleType():
		ts := []any{}
		for _, e := range t.TupleElementTypes() {
			ts = append(ts, typeJSON(e))
		}
		return []any{"tuple", ts}
	case t.IsObjectType():
		m := map[string]any{}
		opt := []string{}
		for k, e := range t.AttributeTypes() {
			m[k] = typeJSON(e)
			if t.AttributeOptional(k) {
				opt = append(opt, k)
			}
		}
		if len(opt) > 0 {
			sort.Strings(opt)
			return []any{"object", m, opt}
		}
		return []any{"object", m}
	}
	return t.FriendlyName()
}

func traversalString(t hcl.Traversal) string {
	var b strings.Builder
	for _, s := range t {
		switch s := s.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String {
				fmt.Fprintf(&b, "[%s]", mustJSON(s.Key.AsString()))
			} else if s.Key.IsKnown() && s.Key.Type() == cty.Number {
				fmt.Fprintf(&b, "[%s]", s.Key.AsBigFloat().Text('f', -1))
			} else {
				b.WriteString("[?]")
			}
		case hcl.TraverseSplat:
			b.WriteString("[*]")
		}
	}
	return b.String()
}
