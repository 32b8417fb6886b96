run "" {}
run "1a" {}
run "a-b" {}
run "ä" {}
run "a.b" {}
run x {}

