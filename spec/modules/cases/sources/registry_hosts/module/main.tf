module "a" {
  source  = "-bad-.example/acme/net/cloud"
  version = "1.0.0"
}
module "b" {
  source  = "github.com/acme/net/cloud"
  version = "1.0.0"
}
module "c" {
  source  = "nodot/acme/net/cloud"
  version = "1.0.0"
}
module "d" {
  source  = "a.example:x/acme/net/cloud"
  version = "1.0.0"
}
module "e" {
  source  = "acme/net/cloud//../x"
  version = "1.0.0"
}
module "f" {
  source  = "acme/net/Cloud"
  version = "1.0.0"
}
module "g" {
  source  = "acme/-net/cloud"
  version = "1.0.0"
}
module "h" {
  source  = "./x"
  version = "1.0.0"
}
module "i" {
  source  = "GitHub.com/acme/net/cloud"
  version = "1.0.0"
}
module "j" {
  source  = "acme/net/cloud?x=1"
  version = "1.0.0"
}
