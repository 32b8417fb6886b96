terraform {
  required_providers {
    a = {
      source                = "x/a"
      configuration_aliases = a.b
    }
    c = {
      source                = "x/c"
      configuration_aliases = upper("x")
    }
    e = {
      source                = "x/d"
      configuration_aliases = "${x}"
    }
    f = {
      source                = "x/d"
      configuration_aliases = "x"
    }
  }
}
