override_resource {}
override_resource {
  target = net_host
}
override_resource {
  target = net_host.a.b
}
override_resource {
  target = net_host.a["x"]
  values = { a = var.nope }
}
override_resource {
  target = net_host.a["x"]
  outputs = {}
}
override_resource {
  target = net_host.a["x"].b
}
override_resource {
  target = net_host[0].b
}
override_resource {
  target = data.net_image.a
}
override_resource {
  target = module.x
}
override_resource {
  target = module.x.net_host.a
}
override_resource {
  target = module.x[0].net_host.a[1]
}
override_resource {
  target = module.x[0].net_host.a[1]
}
override_resource {
  target = var.a
}
override_resource {
  target = "net_host.a"
}
override_resource {
  target = upper("a")
}
override_resource {
  target = resource.net_host.q
}
override_resource {
  target = ephemeral.net_host.q
}
override_resource {
  target = resource.net_host
}
override_resource {
  target = module
}
override_resource {
  target = module.x[*]
}
override_resource {
  target = net_host.a[*]
}
override_resource {
  target = net_host.a[var.x]
}
override_data {
  target = data.net_image.a
  override_during = apply
}
override_data {
  target = data.net_image
}
override_data {
  target = net_image.a
  override_during = destroy
}
override_module {
  target = module.x
  values = {}
}
override_module {
  target = module.y
  outputs = { a = 1 }
}
override_module {
  target = net_host.a
}
override_module {
  target = module.x.module.y["k"]
}
override_module {
  target = module["x"]
}
