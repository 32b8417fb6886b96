mock_provider "net" {
  override_resource {
    target = net_host.a
  }
  override_resource {
    target = net_host.z
  }
}
override_resource {
  target = module.m.net_host.b
}
override_resource {
  target = module.m.net_host.c
}
override_resource {
  target = module.m[7].net_host.b[3]
}
override_module {
  target = module.n
}
override_module {
  target = module.m
}
run "x" {
  override_data {
    target = data.net_image.x
  }
  override_resource {
    target = net_host.a["k"]
  }
  override_resource {
    target = resource.net_host.a
  }
}
