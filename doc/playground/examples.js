// examples.js: what the page offers to begin with.
const examples = [
  {
    name: "Names and templates", kind: "expression",
    source: '"Hello, ${upper(name)}! You have ${length(messages)} messages."',
    variables: 'name     = "juan"\nmessages = ["hi", "bye"]\n',
  },
  {
    name: "Lists into maps", kind: "expression",
    source: '{\n  for server in servers :\n  server.role => "${server.name}:${server.port + 1}"...\n  if server.enabled\n}\n',
    variables: 'servers = [\n  { name = "a", role = "web", port = 8000, enabled = true },\n  { name = "b", role = "web", port = 8001, enabled = true },\n' +
      '  { name = "c", role = "db", port = 5432, enabled = true },\n  { name = "d", role = "db", port = 5433, enabled = false },\n]\n',
  },
  {
    name: "A rule", kind: "expression",
    source: 'request.method == "GET" && (\n  startswith(request.path, "/public/") ||\n  contains(request.user.groups, "admin")\n)\n',
    variables: 'request = {\n  method = "GET"\n  path   = "/api/users"\n  user   = { name = "ana", groups = ["staff", "admin"] }\n}\n',
  },
  {
    name: "A template", kind: "template",
    source: '%{ for h in hosts ~}\nserver ${h.name}:${h.port}%{ if h.backup } backup%{ endif };\n%{ endfor ~}\n',
    variables: 'hosts = [\n  { name = "one", port = 80, backup = false },\n  { name = "two", port = 8080, backup = true },\n]\n',
  },
  {
    name: "A configuration file", kind: "file",
    source: 'service "shop" {\n  port = base + 80\n\n  dynamic "upstream" {\n    for_each = hosts\n    content {\n      address = "${upstream.value}.internal"\n' +
      '    }\n  }\n}\n',
    variables: 'base  = 8000\nhosts = ["a", "b"]\n',
  },
  {
    name: "A Terraform folder", kind: "folder",
    source: 'variable "region" {\n  type = string\n}\n\nvariable "sizes" {\n  type    = map(number)\n  default = { web = 2, db = 1 }\n}\n\nlocals {\n' +
      '  hosts = flatten([for role, n in var.sizes : [for i in range(n) : "${role}-${i}"]])\n}\n\nresource "terraform_data" "host" {\n' +
      '  for_each = toset(local.hosts)\n  input    = { name = "${each.key}.${var.region}.example.com" }\n}\n\noutput "hosts" {\n' +
      '  value = local.hosts\n}\n\noutput "first" {\n  value = terraform_data.host["db-0"].output.name\n}\n',
    variables: 'region = "eu-1"\n',
  },
  {
    name: "Variables as JSON", kind: "expression", source: '[for u in users : u.name if u.age >= 18]',
    variables: '{\n  "users": [\n    { "name": "ana", "age": 41 },\n    { "name": "bo", "age": 9 }\n  ]\n}\n',
  },
  { name: "Exact numbers", kind: "expression", source: '[\n  0.1 + 0.2,\n  12345678901234567890123 * 10,\n  1 / 3,\n]\n', variables: "" },
  {
    name: "A network's parts", kind: "expression",
    source: '{\n  for i, zone in zones :\n  zone => cidrsubnet(network, 8, i)\n}\n',
    variables: 'network = "10.2.0.0/16"\nzones   = ["eu-1a", "eu-1b", "eu-1c"]\n',
  },
  { name: "A mistake", kind: "expression", source: '"Hello, ${upper(nmae)}!"', variables: 'name = "juan"\n' },
  {
    name: "Secrets stay secret", kind: "expression", source: '{\n  user  = user\n  login = "${user}:${password}"\n}\n',
    variables: 'user     = "ana"\npassword = sensitive("hush")\n',
  },
  {
    name: "Too much work", kind: "expression",
    source: '[\n  for a in range(1000) : [\n    for b in range(1000) : [\n      for c in range(1000) : a * b * c\n    ]\n  ]\n]\n', variables: "",
  },
]
