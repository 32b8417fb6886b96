// Answers questions about folders with Terraform's own code, many in one process: the results of `terraform validate`, `apply`, `plan`
// and `test`.
// It uses internal packages, so it is built inside Terraform's source (README.md).
//
// Each line of the input is a question in JSON, each line of the output its answer. Modules are folders below the folder in question;
// only the built-in provider exists.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	version "github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform/internal/addrs"
	"github.com/hashicorp/terraform/internal/backend"
	backendInit "github.com/hashicorp/terraform/internal/backend/init"
	"github.com/hashicorp/terraform/internal/backend/local"
	tfprovider "github.com/hashicorp/terraform/internal/builtin/providers/terraform"
	"github.com/hashicorp/terraform/internal/command/arguments"
	"github.com/hashicorp/terraform/internal/command/jsonplan"
	"github.com/hashicorp/terraform/internal/command/views"
	"github.com/hashicorp/terraform/internal/configs"
	"github.com/hashicorp/terraform/internal/configs/configload"
	"github.com/hashicorp/terraform/internal/depsfile"
	"github.com/hashicorp/terraform/internal/moduletest"
	"github.com/hashicorp/terraform/internal/plans"
	"github.com/hashicorp/terraform/internal/plans/planfile"
	"github.com/hashicorp/terraform/internal/providers"
	"github.com/hashicorp/terraform/internal/states"
	"github.com/hashicorp/terraform/internal/states/statefile"
	"github.com/hashicorp/terraform/internal/terraform"
	"github.com/hashicorp/terraform/internal/tfdiags"
	"github.com/spf13/afero"
	"github.com/zclconf/go-cty/cty"
)

type question struct {
	Before      []string        `json:"before"` // folders to apply, one after the other, before the plan
	State       json.RawMessage `json:"state"`  // the state before them, as a file
	Dir         string          `json:"dir"`
	Taint       []string        `json:"taint"` // instances to taint then
	Destroy     bool            `json:"destroy"`
	RefreshOnly bool            `json:"refresh_only"`
	NoRefresh   bool            `json:"no_refresh"`
	Targets     []string        `json:"targets"`
	Replace     []string        `json:"replace"`
	Test        bool            `json:"test"`        // the tests of the folder are run, and nothing else is asked
	Parallelism int             `json:"parallelism"` // of the walks; 0: as usual
}

type finding struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	At       []any  `json:"at,omitempty"` // file, start line and column, end line and column
}

type answer struct {
	Applied  bool            `json:"applied"` // all folders of `before` were applied
	State    json.RawMessage `json:"state,omitempty"`
	Validate []finding       `json:"validate"`
	Findings []finding       `json:"findings"` // of the plan
	Plan     json.RawMessage `json:"plan,omitempty"`
	Tests    []testRun       `json:"tests,omitempty"`
}

type testRun struct {
	File     string    `json:"file"`
	Name     string    `json:"name"` // "": the file itself
	Status   string    `json:"status"`
	Findings []finding `json:"findings"`
}

func list(diags tfdiags.Diagnostics) []finding {
	all := []finding{}
	for _, d := range diags {
		severity := "warning"
		if d.Severity() == tfdiags.Error {
			severity = "error"
		}
		one := finding{Severity: severity, Summary: d.Description().Summary, Detail: d.Description().Detail}
		if s := d.Source().Subject; s != nil && s.Filename != "" {
			one.At = []any{s.Filename, s.Start.Line, s.Start.Column, s.End.Line, s.End.Column}
		}
		all = append(all, one)
	}
	return all
}

// A call's folder, below the caller's.
func walk(parser *configs.Parser) configs.ModuleWalker {
	return configs.ModuleWalkerFunc(func(req *configs.ModuleRequest) (*configs.Module, *version.Version, hcl.Diagnostics) {
		dir := filepath.Join(req.Parent.Module.SourceDir, req.SourceAddr.String())
		module, diags := parser.LoadConfigDir(dir)
		return module, nil, diags
	})
}

func load() (*configs.Config, terraform.InputValues, tfdiags.Diagnostics) {
	parser := configs.NewParser(afero.NewOsFs())
	root, found := parser.LoadConfigDir(".")
	return build(parser, root, found)
}

func build(
	parser *configs.Parser, root *configs.Module, found hcl.Diagnostics,
) (*configs.Config, terraform.InputValues, tfdiags.Diagnostics) {
	var diags tfdiags.Diagnostics
	diags = diags.Append(found)
	if root == nil || diags.HasErrors() {
		return nil, nil, diags
	}
	values := terraform.InputValues{}
	for name := range root.Variables {
		values[name] = &terraform.InputValue{Value: cty.NilVal, SourceType: terraform.ValueFromConfig}
	}
	noMocks := func(*configs.Provider) (*configs.MockData, hcl.Diagnostics) { return nil, nil }
	config, more := terraform.BuildConfigWithGraph(root, walk(parser), values, configs.MockDataLoaderFunc(noMocks))
	return config, values, diags.Append(more)
}

func contextOptions(parallelism int) *terraform.ContextOpts {
	if parallelism == 0 {
		parallelism = 10
	}
	return &terraform.ContextOpts{
		Meta: &terraform.ContextMeta{Env: "default"}, Parallelism: parallelism,
		Providers: map[addrs.Provider]providers.Factory{
			addrs.NewBuiltInProvider("terraform"): providers.FactoryFixed(tfprovider.NewProvider()),
		},
	}
}

func start(parallelism int) *terraform.Context {
	ctx, diags := terraform.NewContext(contextOptions(parallelism))
	if diags.HasErrors() {
		panic(diags.Err())
	}
	return ctx
}

func apply(dir string, state *states.State) (*states.State, bool) {
	if os.Chdir(dir) != nil {
		return state, false
	}
	config, values, diags := load()
	if diags.HasErrors() {
		return state, false
	}
	options := &terraform.PlanOpts{Mode: plans.NormalMode, SetVariables: values}
	plan, diags := start(0).Plan(config, state, options)
	if diags.HasErrors() {
		return state, false
	}
	after, diags := start(0).Apply(plan, config, options.ApplyOpts())
	return after, !diags.HasErrors()
}

// A plan and its prior state as `terraform show` reads them: a file of a plan doesn't keep all of it.
func filed(plan *plans.Plan, before *states.State) (*plans.Plan, *states.State, error) {
	name := filepath.Join(os.TempDir(), fmt.Sprintf("plan-%d", os.Getpid()))
	defer os.Remove(name)
	plan.Backend = &plans.Backend{Type: "local", Config: plans.DynamicValue("\xc0"), Workspace: "default"}
	err := planfile.Create(name, planfile.CreateArgs{
		ConfigSnapshot: configload.NewEmptySnapshot(), PreviousRunStateFile: statefile.New(before, "", 0),
		StateFile: statefile.New(plan.PriorState, "", 0), Plan: plan, DependencyLocks: depsfile.NewLocks(),
	})
	if err != nil {
		return nil, nil, err
	}
	reader, err := planfile.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	kept, err := reader.ReadPlan()
	if err != nil {
		return nil, nil, err
	}
	state, err := reader.ReadStateFile()
	if err != nil {
		return nil, nil, err
	}
	return kept, state.State, nil
}

func ask(q *question) answer {
	a := answer{Applied: true}
	state := states.NewState()
	if len(q.State) > 0 {
		file, err := statefile.Read(bytes.NewReader(q.State))
		if err != nil {
			panic(err)
		}
		state = file.State
	}
	for _, dir := range q.Before {
		var ok bool
		state, ok = apply(dir, state)
		a.Applied = a.Applied && ok
	}
	for _, text := range q.Taint {
		addr, _ := addrs.ParseAbsResourceInstanceStr(text)
		if rs := state.ResourceInstance(addr); rs != nil && rs.Current != nil {
			rs.Current.Status = states.ObjectTainted
		}
	}
	if len(q.Before) > 0 {
		var text, line bytes.Buffer
		if statefile.Write(statefile.New(state, "lineage", 1), &text) == nil && json.Compact(&line, text.Bytes()) == nil {
			a.State = line.Bytes()
		}
	}
	if err := os.Chdir(q.Dir); err != nil {
		panic(err)
	}
	config, values, diags := load()
	if diags.HasErrors() {
		a.Validate = list(diags)
		return a
	}
	a.Validate = list(diags.Append(start(0).Validate(config, nil)))
	options := &terraform.PlanOpts{Mode: plans.NormalMode, SetVariables: values, SkipRefresh: q.NoRefresh}
	if q.Destroy {
		options.Mode = plans.DestroyMode
	} else if q.RefreshOnly {
		options.Mode = plans.RefreshOnlyMode
	}
	for _, text := range q.Targets {
		target, _ := addrs.ParseTargetStr(text)
		options.Targets = append(options.Targets, target.Subject)
	}
	for _, text := range q.Replace {
		addr, _ := addrs.ParseAbsResourceInstanceStr(text)
		options.ForceReplace = append(options.ForceReplace, addr)
	}
	ctx := start(q.Parallelism)
	plan, diags := ctx.Plan(config, state, options)
	a.Findings = list(diags)
	if plan == nil || plan.Changes == nil {
		return a
	}
	kept, state, err := filed(plan, state)
	if err != nil {
		a.Findings = append(a.Findings, finding{Severity: "error", Summary: "no file of the plan", Detail: err.Error()})
		return a
	}
	schemas, diags := ctx.Schemas(config, state)
	if diags.HasErrors() {
		panic(diags.Err())
	}
	text, err := jsonplan.Marshal(config, kept, statefile.New(state, "", 0), schemas)
	if err != nil {
		a.Findings = append(a.Findings, finding{Severity: "error", Summary: "no JSON", Detail: err.Error()})
		return a
	}
	a.Plan = text
	return a
}

// Shows nothing: the results are read from the suite.
type silent struct {
	views.Test
	suite *moduletest.Suite
}

func (s *silent) Abstract(suite *moduletest.Suite)                                 { s.suite = suite }
func (*silent) Conclusion(*moduletest.Suite)                                       {}
func (*silent) File(*moduletest.File, moduletest.Progress)                         {}
func (*silent) Run(*moduletest.Run, *moduletest.File, moduletest.Progress, int64)  {}
func (*silent) Diagnostics(*moduletest.Run, *moduletest.File, tfdiags.Diagnostics) {}
func (*silent) DestroySummary(tfdiags.Diagnostics, *moduletest.Run, *moduletest.File, *states.State) {
}

func test(dir string, parallelism int) (a answer) {
	a.Applied = true
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	parser := configs.NewParser(afero.NewOsFs())
	root, found := parser.LoadConfigDirWithTests(".", "tests")
	config, _, diags := build(parser, root, found)
	a.Validate = list(diags)
	if diags.HasErrors() {
		return a
	}
	view := &silent{}
	runner := &local.TestSuiteRunner{
		BackendFactory: func(string) backend.InitFn { return nil }, Config: config, TestingDirectory: "tests", Opts: contextOptions(parallelism),
		View: view, StoppedCtx: context.Background(), CancelledCtx: context.Background(),
		GlobalVariables: map[string]arguments.UnparsedVariableValue{}, GlobalTestVariables: map[string]arguments.UnparsedVariableValue{},
	}
	_, diags = runner.Test(false)
	a.Findings = list(diags)
	for name, file := range view.suite.Files {
		a.Tests = append(a.Tests, testRun{File: name, Status: file.Status.String(), Findings: list(file.Diagnostics)})
		for _, run := range file.Runs {
			a.Tests = append(a.Tests, testRun{File: name, Name: run.Name, Status: run.Status.String(), Findings: list(run.Diagnostics)})
		}
	}
	return a
}

// Terraform itself may crash: then there is no plan, and its message is the finding.
func safely(q *question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			text, _ := json.Marshal(r)
			a = answer{Findings: []finding{{Severity: "error", Summary: "crash", Detail: string(text)}}}
		}
	}()
	if q.Test {
		return test(q.Dir, q.Parallelism)
	}
	return ask(q)
}

func main() {
	log.SetOutput(io.Discard)
	backendInit.Init(nil) // those that data of other states may name
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			panic(err)
		}
		text, err := json.Marshal(safely(&q))
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(append(text, '\n'))
	}
}
