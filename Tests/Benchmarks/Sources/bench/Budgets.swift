// The figures that have a budget, in one table at the end of a run.

import Glibc

/// One figure and its budget.
struct Budgeted {
  /// The measured quantity.
  let what: String
  /// The figure, with its unit.
  let figure: String
  /// The compared program, and the ratio to it; empty if the figure is not compared.
  var beside = ""
  /// The limit of the figure as text, such as `≤ 18 MiB`.
  let budget: String
  let isMet: Bool

  /// Prints the figures as one table.
  static func print(_ all: [Budgeted]) {
    guard !all.isEmpty else { return }
    printTable(
      "All that has a budget: medians",
      [["what", "figure", "beside", "budget", "met"]] + all.map { [$0.what, $0.figure, $0.beside, $0.budget, $0.isMet ? "yes" : "NO"] })
  }
}

/// Returns the load average of the last minute, which shows the host's other load.
func loadAverage() -> String {
  guard let file = fopen("/proc/loadavg", "r") else { return "?" }
  defer { fclose(file) }
  var bytes = [CChar](repeating: 0, count: 64)
  fread(&bytes, 1, bytes.count - 1, file)
  return String(text(bytes).prefix { $0 != " " })
}
