run "a" {
  override_resource {
    target = net_host.a
  }
  override_resource {
    target = net_host.a
  }
  override_data {
    target = net_host.a
  }
  override_module {
    target = module.b
  }
  override_module {
    target = module.b
  }
  override_module {}
}
