resource "terraform_data" "none" {
  count = 0
}
resource "terraform_data" "two" {
  count = 2
}
resource "terraform_data" "one" {
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  lifecycle {
    replace_triggered_by = [terraform_data.two[each.key]]
  }
}
resource "terraform_data" "x1" {
  lifecycle {
    replace_triggered_by = [terraform_data.zz]
  }
}
resource "terraform_data" "x2" {
  lifecycle {
    replace_triggered_by = [terraform_data.two[5], terraform_data.none]
    precondition {
      condition     = length(terraform_data.none) == 1
      error_message = "Not reached."
    }
  }
}
resource "terraform_data" "x3" {
  count = 3
  lifecycle {
    replace_triggered_by = [terraform_data.two[count.index], terraform_data.one.nope, terraform_data.one.id]
  }
}
resource "terraform_data" "x4" {
  lifecycle {
    replace_triggered_by = [terraform_data.two]
  }
}
