# Sums up test reports. Each line of input is ./MODULE/target/KIND-reports/FILE:<testsuite ATTRIBUTES>.
# Fails if no test of the testbed ran on a cluster: a run that skipped them all proves nothing.

function attribute(name) {
  if (!match($0, " " name "=\"[^\"]*\"")) return ""
  return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}

BEGIN {
  slowest = "sort -rn | head -n 10"
  print "\nThe ten slowest test classes:"
}

{
  split($0, path, "/")
  gsub(",", "") # of thousands of seconds
  module = path[2]
  tests[module] += attribute("tests")
  failures[module] += attribute("failures")
  errors[module] += attribute("errors")
  skips[module] += attribute("skipped")
  if (module == "testbed" && path[4] == "failsafe-reports") on_cluster += attribute("tests") - attribute("skipped")
  printf "%10.1f s  %s\n", attribute("time"), attribute("name") | slowest
}

END {
  close(slowest)
  printf "\n%-12s %6s %9s %7s %8s\n", "Module", "tests", "failures", "errors", "skipped"
  for (module in tests) {
    printf "%-12s %6d %9d %7d %8d\n", module, tests[module], failures[module], errors[module], skips[module] | "sort"
    passed += tests[module] - failures[module] - errors[module] - skips[module]
    failed += failures[module] + errors[module]
    skipped += skips[module]
  }
  close("sort")
  if (on_cluster <= 0) print "\nerror: no cluster test ran"
  printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
  exit on_cluster <= 0
}
