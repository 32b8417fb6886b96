import {
  to = "terraform_data.a"
  id = "x"
}
import {
  to = module.m
  id = "x"
}
import {
  to = module.m[0].terraform_data
  id = "x"
}
import {
  to = data.terraform_remote_state.x
  id = "x"
}
import {
  to = terraform_data.a.b
  id = "x"
}
import {
  to = terraform_data.a[local.x].y
  id = "x"
}
import {
  to = upper("x")
  id = "x"
}
import {
  to = var.x
  id = "x"
}
import {
  to = resource.terraform_data.x
  id = "x"
}
import {
  to = module.x[each.key].terraform_data.x["a"]
  id = "x"
}
import {
  to = terraform_data["x"]
  id = "x"
  xx = 1
}
import {
  to = terraform_data["x"]
  id = "x"
}
