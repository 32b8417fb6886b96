terraform {
  required_providers {
    a = { source = "host.example:8080/acme/a" }
    b = { source = "host.example:port/acme/a" }
    c = { source = "host.example:70000/acme/a" }
    d = { source = "host.example/ac_me/a" }
    e = { source = "host.example/_acme/a" }
    f = { source = "host.example/acme/a_b" }
    g = { source = "host..example/acme/a" }
    h = { source = "xn--a.example/acme/a" }
    i = { source = "host_.example/acme/a" }
    j = { source = "-host.example/acme/a" }
    k = { source = "acme/" }
    l = { source = "/acme" }
    m = { source = "" }
    n = { source = "ac--me/a" }
    o = { source = "acme/-a" }
    p = { source = "ACME/Terraform-a" }
    q = { source = "localhost/acme/a" }
    r = { source = "höst.example/äcme/ä" }
    s = { source = "ab--c.example/acme/a" }
    t = { source = "a.b./acme/a" }
    u = { source = "-/a" }
    v = { source = "acme.b/a" }
    w = { source = "ac me/a" }
    x = { source = "ac!me/a" }
    y = { source = "a--b.example/acme/a" }
    z = { source = "host.example:/acme/a" }
  }
}
