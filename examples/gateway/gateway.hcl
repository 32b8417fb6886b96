# The rules of a small gateway. They are read while requests run: change one, and the next request sees it.

access {
  allow = user.plan != "" || startswith(request.path, "/public/")
  # What a client reads who may not come in.
  refusal = "no entry for ${user.name == "" ? "strangers" : user.name} to ${request.path}\n"
}

# The first route whose `when` is true decides.
route "health" {
  when = request.path == "/healthz"
  to   = "local"
}

route "api" {
  when = startswith(request.path, "/api/") && contains(["GET", "POST"], request.method)
  to   = user.plan == "gold" ? "dedicated" : "shared"
}

route "rest" {
  when = true
  to   = "web-${region}"
}

# Requests of one key within a window of so many seconds.
limit "free" {
  when     = user.plan == "free" && startswith(request.path, "/api/")
  key      = user.name
  requests = 3
  window   = 60
}

header "X-Served-For" {
  value = try("${user.name}/${request.headers["x-trace"]}", user.name)
}
