editor {
  width = 120
}

formatter "lua" {
  command = ["stylua", "--column-width", tostring(editor.width), "-"]
}

task "test" {
  command = "make test"
  before  = [task.build]
}

task "build" {
  command = "make -C ${root}"
}
