run "a" {
  module {
  }
}
run "b" {
  module {
    source = "m"
  }
}
run "c" {
  module {
    source  = "./m"
    version = "1.0"
  }
}
run "d" {
  module {
    source  = "github.com/a/b"
  }
}
run "e" {
  module {
    source  = "acme/net/cloud"
    version = "x"
    more    = 1
  }
  module {}
}
run "f" {
  module {
    source = var.a
  }
}
run "g" {
  module {
    source = 1
  }
}
run "h" {
  module {
    source = "git::https://example.com/x.git"
  }
  module {
    source = "./m"
  }
}
