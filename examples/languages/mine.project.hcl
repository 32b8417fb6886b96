formatter "lua" {
  command = ["lua-format"]
  on_save = false
}

task "build" {
  command = "make -j8"
  dir     = "${root}/src"
}
