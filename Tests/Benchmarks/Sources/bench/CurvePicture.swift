// Cost curves as a picture: a panel for each, with two logarithmic axes.

import Glibc

/// Draws the curves as SVG.
struct CurvePicture {
  struct Colours {
    let ink: String
    let faint: String
    let time: String
    let memory: String

    static let light = Colours(ink: "#1d1d1f", faint: "#d2d2d7", time: "#0066cc", memory: "#b25000")
    static let dark = Colours(ink: "#f5f5f7", faint: "#424245", time: "#2997ff", memory: "#ff9f0a")
  }

  let colours: Colours

  private static let panel = (width: 430.0, height: 250.0)
  private static let margin = (left: 58.0, right: 18.0, top: 40.0, bottom: 34.0)
  private static let columns = 2
  private static let head = 34.0

  func draw(_ curves: [Curve], to path: String) throws(BenchError) {
    let rows = (curves.count + Self.columns - 1) / Self.columns
    let (width, height) = (Self.panel.width * Double(Self.columns), Self.head + Self.panel.height * Double(rows))
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(figure(width, 0)) \(figure(height, 0))" \
      font-family="system-ui, sans-serif" font-size="12" fill="\(colours.ink)">
      <circle cx="\(figure(Self.margin.left, 0))" cy="18" r="4" fill="\(colours.time)"/>\
      <text x="\(figure(Self.margin.left + 10, 0))" y="22">microseconds</text>
      <circle cx="180" cy="18" r="4" fill="\(colours.memory)"/><text x="190" y="22">resident memory of the daemon, MiB</text>

      """
    for (number, curve) in curves.enumerated() {
      let (x, y) = (Double(number % Self.columns) * Self.panel.width, Self.head + Double(number / Self.columns) * Self.panel.height)
      svg += "<g transform=\"translate(\(figure(x, 0)) \(figure(y, 0)))\">\n" + panel(curve) + "</g>\n"
    }
    svg += "</svg>\n"
    guard let file = fopen(path, "w") else { throw BenchError("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    let bytes = Array(svg.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw BenchError("\(path) cannot be written") }
  }

  private func panel(_ curve: Curve) -> String {
    let values = curve.points.flatMap { [$0.microseconds, $0.mebibytes] }.filter { $0 > 0 }
    let counts = curve.points.map { Double($0.count) }
    guard let least = values.min(), let most = values.max(), let first = counts.min(), let last = counts.max() else { return "" }
    let (bottom, top) = (log10(least).rounded(.down), max(log10(most).rounded(.up), log10(least).rounded(.down) + 1))
    let (from, to) = (log10(first), max(log10(last), log10(first) + 1))
    let (width, height) = (
      Self.panel.width - Self.margin.left - Self.margin.right, Self.panel.height - Self.margin.top - Self.margin.bottom
    )
    func x(_ count: Double) -> Double { Self.margin.left + (log10(count) - from) / (to - from) * width }
    func y(_ value: Double) -> Double { Self.margin.top + (top - log10(max(value, pow(10, bottom)))) / (top - bottom) * height }
    var svg = "<text x=\"\(figure(Self.margin.left, 0))\" y=\"28\" font-weight=\"600\">\(curve.title)</text>\n"
    for power in Int(bottom)...Int(top) {
      let at = y(pow(10, Double(power)))
      svg += line(Self.margin.left, at, Self.margin.left + width, at)
      let label = Self.number(pow(10, Double(power)))
      svg += "<text x=\"\(figure(Self.margin.left - 6))\" y=\"\(figure(at + 4))\" text-anchor=\"end\">\(label)</text>\n"
    }
    for count in counts {
      svg +=
        "<text x=\"\(figure(x(count)))\" y=\"\(figure(Self.panel.height - 14))\" text-anchor=\"middle\">\(Self.number(count))</text>\n"
    }
    for (colour, values) in [(colours.memory, curve.points.map(\.mebibytes)), (colours.time, curve.points.map(\.microseconds))] {
      let places = zip(counts, values).map { "\(figure(x($0))),\(figure(y($1)))" }
      svg += "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" points=\"\(places.joined(separator: " "))\"/>\n"
      for place in places {
        let parts = place.split(separator: ",")
        svg += "<circle cx=\"\(parts[0])\" cy=\"\(parts[1])\" r=\"3\" fill=\"\(colour)\"/>\n"
      }
    }
    return svg
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<path d=\"M\(figure(x1)) \(figure(y1))L\(figure(x2)) \(figure(y2))\" stroke=\"\(colours.faint)\" fill=\"none\"/>\n"
  }

  /// Returns a short number: 10, 300, 3 k, 10 M.
  private static func number(_ value: Double) -> String {
    if value >= 1e6 { return "\(figure(value / 1e6, value.truncatingRemainder(dividingBy: 1e6) == 0 ? 0 : 1)) M" }
    if value >= 1e3 { return "\(figure(value / 1e3, value.truncatingRemainder(dividingBy: 1e3) == 0 ? 0 : 1)) k" }
    return value >= 1 ? figure(value, 0) : figure(value, 2)
  }
}
