// Drawings of a QR code for a terminal and for a page.

extension QRCode {
  static let columns = side + 2 * quietModules

  /// The code as text in half-block characters, so that one line of text shows two rows of modules. It is dark on light, whatever colours
  /// the terminal has.
  var terminalText: String {
    var text = ""
    let range = -Self.quietModules..<Self.side + Self.quietModules
    for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      text += "\u{1B}[30;107m"
      for column in range {
        text += Self.block(isDark(row: row, column: column), isDark(row: row + 1, column: column))
      }
      text += "\u{1B}[0m\n"
    }
    return text
  }

  private static func block(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }

  /// The dark modules as the path of an SVG picture that is ``columns`` units wide and high.
  var path: String {
    var path = ""
    for row in 0..<Self.side {
      for column in 0..<Self.side where isDark(row: row, column: column) {
        path += "M\(column + Self.quietModules) \(row + Self.quietModules)h1v1h-1z"
      }
    }
    return path
  }

  /// The code as an SVG picture with dark modules on a white background.
  var svg: String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.columns) \(Self.columns)\" shape-rendering=\"crispEdges\">"
      + "<path fill=\"#fff\" d=\"M0 0h\(Self.columns)v\(Self.columns)H0z\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
  }
}
