mock_provider "net" {
  alias = "a"
  source = "./x"
  override_during = plan
  mock_resource "net_host" {
    defaults = {
      name = var.nope
    }
  }
  mock_resource "net_host" {}
  mock_data "net_host" {}
  mock_data "net_image" {
    override_during = "plan"
    values = {}
  }
  mock_data "net_image" {
  }
  override_resource {
    target = net_host.a
  }
  override_resource {
    target = net_host.a
  }
  override_data {
    target = net_host.b
  }
  override_module {
    target = module.x
  }
  region = "x"
}
mock_provider "net" {
  alias = "a"
}
mock_provider "net" {}
provider "net" {}
provider "net" {
  version = "1"
  alias = "b"
}
provider "net" {
  alias = "b c"
  count = 1
}
mock_provider "Net" {}
mock_provider "n_t" {
  override_during = never
}
mock_provider "x" {
  override_during = never
  alias = var.x
  mock_resource {}
}
provider "n_t" {}
