variable "n" { default = 1 }
resource "terraform_data" "many" {
  count = 2
  input = "${count.index}-${var.n}"
  lifecycle {
    postcondition {
      condition = self.output != "1-5"
      error_message = "out ${self.output}"
    }
    precondition {
      condition = var.n != 9
      error_message = "nine"
    }
  }
}
data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = "none.tfstate" }
  defaults = { x = 1 }
  lifecycle {
    postcondition {
      condition = var.n != 7
      error_message = "seven"
    }
  }
}
check "c" {
  data "terraform_remote_state" "t" {
    backend = "local"
    config = { path = var.n == 4 ? "gone.tfstate" : "x.tfstate" }
  }
  assert {
    condition = var.n != 3
    error_message = "three"
  }
}
check "d" {
  assert {
    condition = terraform_data.many[0].id != "x"
    error_message = "d"
  }
}
output "o" {
  value = [for r in terraform_data.many : r.output]
  precondition {
    condition = var.n != 6
    error_message = "six"
  }
}
