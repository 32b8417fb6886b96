# Questions that policies ask of a plan: each walks another part of it. The answers must be those that they get of Terraform's own plan.
package plan

import rego.v1

resources contains r if {
	some path, module
	walk(input.planned_values.root_module, [path, module])
	some r in module.resources
}

types[r.type] contains r.address if some r in resources

modules contains module.address if {
	some path, module
	walk(input.planned_values.root_module, [path, module])
	is_string(object.get(module, "address", null))
}

actions[change.address] := change.change.actions if some change in input.resource_changes

reasons[change.address] := change.action_reason if some change in input.resource_changes

moved[change.address] := change.previous_address if some change in input.resource_changes

replaced[change.address] := change.change.replace_paths if some change in input.resource_changes

# what an apply fills in, at any depth
unknown contains sprintf("%s: %v", [change.address, path]) if {
	some change in input.resource_changes
	walk(change.change.after_unknown, [path, value])
	value == true
}

secret contains sprintf("%s: %v", [change.address, path]) if {
	some change in input.resource_changes
	walk(change.change.after_sensitive, [path, value])
	value == true
}

inputs[change.address] := change.change.after.input if some change in input.resource_changes

outputs[name] := change.actions if some name, change in input.output_changes

hidden contains name if input.planned_values.outputs[name].sensitive

# arguments that name something, in all modules
named contains sprintf("%s.%s <- %s", [r.address, name, reference]) if {
	some path, module
	walk(input.configuration.root_module, [path, module])
	some r in module.resources
	some name, expression in r.expressions
	some reference in expression.references
}

constants contains sprintf("%s.%s = %v", [r.address, name, expression.constant_value]) if {
	some path, module
	walk(input.configuration.root_module, [path, module])
	some r in module.resources
	some name, expression in r.expressions
	expression.constant_value
}

calls[name] := call.source if {
	some path, module
	walk(input.configuration.root_module, [path, module])
	some name, call in module.module_calls
}

providers[key] := provider.full_name if some key, provider in input.configuration.provider_config

problems contains sprintf("%s: %s", [one.address.to_display, problem.message]) if {
	some check in input.checks
	some one in check.instances
	some problem in one.problems
}

prior contains r.address if {
	some path, module
	walk(input.prior_state.values.root_module, [path, module])
	some r in module.resources
}

relevant contains sprintf("%s %v", [attribute.resource, attribute.attribute]) if some attribute in input.relevant_attributes

answer := {
	"types": types, "modules": modules, "actions": actions, "reasons": reasons, "moved": moved, "replaced": replaced, "unknown": unknown,
	"secret": secret, "inputs": inputs, "outputs": outputs, "hidden": hidden, "named": named, "constants": constants, "calls": calls,
	"providers": providers, "problems": problems, "prior": prior, "relevant": relevant,
	"variables": object.get(input, "variables", {}), "applyable": input.applyable, "complete": input.complete, "errored": input.errored,
}
