# As conftest has it: what is denied, and why.
package main

import rego.v1

deny contains sprintf("%s would be destroyed", [change.address]) if {
	some change in input.resource_changes
	"delete" in change.change.actions
	not "create" in change.change.actions
}

deny contains sprintf("%s holds a secret", [change.address]) if {
	some change in input.resource_changes
	walk(change.change.after_sensitive, [_, true])
}

warn contains sprintf("%s is replaced: %s", [change.address, object.get(change, "action_reason", "nobody knows why")]) if {
	some change in input.resource_changes
	change.change.actions in [["delete", "create"], ["create", "delete"]]
}
