variable "q" {}
