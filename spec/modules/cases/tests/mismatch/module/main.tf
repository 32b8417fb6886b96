terraform {
  required_providers {
    net = { source = "hashicorp/null" }
  }
}
