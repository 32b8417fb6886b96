package main

import (
	"encoding/base64"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"golang.org/x/text/encoding/ianaindex"
)

// The names in a case's expressions: the functions, and the variables that the case names.

func context(c *Case) (*hcl.EvalContext, error) {
	ctx := &hcl.EvalContext{Functions: library, Variables: map[string]cty.Value{}}
	for _, k := range sortedKeys(c.Vars) {
		e, d := hclsyntax.ParseExpression([]byte(c.Vars[k]), k, hcl.InitialPos)
		if d.HasErrors() {
			return nil, d
		}
		v, d := e.Value(ctx)
		if d.HasErrors() {
			return nil, d
		}
		ctx.Variables[k] = v
	}
	return ctx, nil
}

var unknownFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "type", Type: cty.String}},
	Type: func(args []cty.Value) (cty.Type, error) {
		t, _, d := parseType(args[0].AsString())
		if d.HasErrors() {
			return cty.DynamicPseudoType, d
		}
		return t, nil
	},
	Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) { return cty.UnknownVal(ret), nil },
})

// marking makes a function that puts a mark on any value.
func marking(mark string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowMarked: true, AllowDynamicType: true}},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, ret cty.Type) (cty.Value, error) { return args[0].Mark(mark), nil },
	})
}

// convert() as in the recorded cases: the constraint alone decides its result for an unknown value.
var convertFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true},
		{Name: "type", Type: typeexpr.TypeConstraintType},
	},
	Type: func(args []cty.Value) (cty.Type, error) { return *args[1].EncapsulatedValue().(*cty.Type), nil },
	Impl: func(args []cty.Value, want cty.Type) (cty.Value, error) {
		v, err := convert.Convert(args[0], want)
		if err != nil {
			return cty.NilVal, function.NewArgError(0, err)
		}
		return v, nil
	},
})

// A text in another encoding, as in Terraform's functions.
func encodingFunc(change func(text, name string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: "encoding", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),

		RefineResult: func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() },
		Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
			text, err := change(args[0].AsString(), args[1].AsString())
			if err != nil {
				return cty.NilVal, err
			}
			return cty.StringVal(text), nil
		},
	})
}

func encodeText(text, name string) (string, error) {
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return "", function.NewArgErrorf(1, "no such encoding")
	}
	bytes, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return "", function.NewArgErrorf(0, "the encoding lacks a character")
	}
	return base64.StdEncoding.EncodeToString(bytes), nil
}

func decodeText(text, name string) (string, error) {
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return "", function.NewArgErrorf(1, "no such encoding")
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", function.NewArgErrorf(0, "no base64")
	}
	bytes, err = e.NewDecoder().Bytes(bytes)
	if err != nil || strings.ContainsRune(string(bytes), '\uFFFD') {
		return "", function.NewArgErrorf(0, "not in this encoding")
	}
	return string(bytes), nil
}

func conversion(t cty.Type) function.Function { return stdlib.MakeToFunc(t) }

var library = map[string]function.Function{
	"abs": stdlib.AbsoluteFunc, "can": tryfunc.CanFunc, "ceil": stdlib.CeilFunc, "chomp": stdlib.ChompFunc, "chunklist": stdlib.ChunklistFunc,
	"coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc, "concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc,
	"convert": convertFunc, "csvdecode": stdlib.CSVDecodeFunc, "distinct": stdlib.DistinctFunc, "element": stdlib.ElementFunc,
	"flatten": stdlib.FlattenFunc, "floor": stdlib.FloorFunc, "format": stdlib.FormatFunc, "formatdate": stdlib.FormatDateFunc,
	"formatlist": stdlib.FormatListFunc, "indent": stdlib.IndentFunc, "join": stdlib.JoinFunc, "jsondecode": stdlib.JSONDecodeFunc,
	"jsonencode": stdlib.JSONEncodeFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc, "log": stdlib.LogFunc, "lookup": stdlib.LookupFunc, "lower": stdlib.LowerFunc,
	"max": stdlib.MaxFunc, "merge": stdlib.MergeFunc, "min": stdlib.MinFunc, "parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "range": stdlib.RangeFunc,
	"regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc, "regex_replace": stdlib.RegexReplaceFunc, "replace": stdlib.ReplaceFunc, "reverse": stdlib.ReverseListFunc,
	"sensitive": marking("sensitive"), "setintersection": stdlib.SetIntersectionFunc, "setproduct": stdlib.SetProductFunc, "setsubtract": stdlib.SetSubtractFunc,
	"setunion": stdlib.SetUnionFunc, "signum": stdlib.SignumFunc, "slice": stdlib.SliceFunc, "sort": stdlib.SortFunc, "split": stdlib.SplitFunc,
	"strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc, "timeadd": stdlib.TimeAddFunc, "title": stdlib.TitleFunc, "tobool": conversion(cty.Bool),
	"tolist": conversion(cty.List(cty.DynamicPseudoType)), "tomap": conversion(cty.Map(cty.DynamicPseudoType)), "tonumber": conversion(cty.Number),
	"toset": conversion(cty.Set(cty.DynamicPseudoType)), "tostring": conversion(cty.String), "trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc,
	"trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc, "try": tryfunc.TryFunc, "upper": stdlib.UpperFunc, "values": stdlib.ValuesFunc,
	"textdecodebase64": encodingFunc(decodeText), "textencodebase64": encodingFunc(encodeText),
	"yamldecode": ctyyaml.YAMLDecodeFunc, "yamlencode": ctyyaml.YAMLEncodeFunc, "zipmap": stdlib.ZipmapFunc, "unknown": unknownFunc, "ephemeral": marking("ephemeral"),
}
