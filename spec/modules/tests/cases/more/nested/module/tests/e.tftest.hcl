run "missing" { command = plan }
