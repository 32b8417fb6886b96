team "web" {
  channel = "#web"
  lead    = team.ops
}

team "ops" {
  channel = "#ops"
}

defaults {
  every = 30
}

rule "errors" {
  team = team.web
  when = metric.errors > 0.05 * metric.requests && metric.requests > defaults.every

  step {
    after = 60
  }

  step {
    after    = 600
    severity = "page"
    message  = "to ${team.ops.channel}"
  }
}
