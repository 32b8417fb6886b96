run "real" { command = plan }
