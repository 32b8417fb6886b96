terraform {
  required_providers {
    my_a  = "1.0"
    My_b  = { source = "acme/b" }
    Cc    = "1.0"
    Dd    = { source = "acme/d" }
    e     = 1
    f     = true
    g     = null
    h     = []
    i     = { "version" = 1 }
    j     = { source = null }
    k     = { version = "no" }
    l     = "x"
    m     = "${1}.0"
    n-    = "1.0"
    o--p  = "1.0"
    q     = var.x
    r     = upper("1.0")
    t     = false ? "1" : null
  }
}
