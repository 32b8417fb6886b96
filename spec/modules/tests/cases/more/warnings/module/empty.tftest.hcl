variables {
  nobody_looks = nothing.at
}
