import {
  to = terraform_data.a
  id = null
}
import {
  to = terraform_data.b
  id = ""
}
import {
  to = terraform_data.c
  id = var.x
}
import {
  to = terraform_data.d
  id = terraform_data.a.id
}
import {
  to = terraform_data.e
  id = [1]
}
import {
  to = terraform_data.f["k"]
  id = "x"
}
import {
  to = terraform_data.g["k"]
  id = "x"
}
import {
  to = terraform_data.h
  id = "x"
}
import {
  to = terraform_data.i
  id = terraform_data.i.output
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
resource "terraform_data" "c" {
}
resource "terraform_data" "d" {
}
resource "terraform_data" "e" {
}
resource "terraform_data" "f" {
}
resource "terraform_data" "g" {
  count = 1
}
resource "terraform_data" "h" {
  for_each = {}
}
resource "terraform_data" "i" {
}
