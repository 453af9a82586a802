// The figures that have a budget, one beside the other at the end of a run.

import Glibc

/// One figure against its budget.
struct Budgeted {
  /// What was measured.
  let what: String
  /// The figure, with its unit.
  let figure: String
  /// What it is measured beside, and how it stands to that.
  var beside = ""
  /// What it should be.
  let budget: String
  let isMet: Bool

  /// Prints them as one table.
  static func print(_ all: [Budgeted]) {
    guard !all.isEmpty else { return }
    printTable(
      "All that has a budget: medians",
      [["what", "figure", "beside", "budget", "met"]] + all.map { [$0.what, $0.figure, $0.beside, $0.budget, $0.isMet ? "yes" : "NO"] })
  }
}

/// How much else the machine does: the load average of the last minute.
func loadAverage() -> String {
  guard let file = fopen("/proc/loadavg", "r") else { return "?" }
  defer { fclose(file) }
  var bytes = [CChar](repeating: 0, count: 64)
  fread(&bytes, 1, bytes.count - 1, file)
  return String(text(bytes).prefix { $0 != " " })
}
