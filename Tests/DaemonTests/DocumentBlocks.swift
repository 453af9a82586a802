// The examples of a Markdown file: commands with what the file says that they print, and the files that the commands use.

/// A block of a Markdown file that shows a console.
struct ConsoleBlock: Equatable {
  struct Command: Equatable {
    /// The line of the file, from 1.
    let line: Int
    /// The command, with the lines that a backslash at a line's end adds to it.
    private(set) var text: String
    /// The lines that stand below it.
    private(set) var shown: [String] = []

    init(line: Int, text: String, shown: [String] = []) { (self.line, self.text, self.shown) = (line, text, shown) }

    /// Takes the next line of the block.
    mutating func add(_ line: Substring) {
      if shown.isEmpty, text.hasSuffix("\\") { text += "\n" + line } else { shown.append(String(line)) }
    }
  }

  /// What it is called where it must not be run: the comment `<!-- not run: NAME -->` stands right above it, and no reader sees it.
  let name: String?
  var commands: [Command] = []

  /// The blocks of a file, in its order.
  static func all(in text: String) -> [ConsoleBlock] {
    var blocks: [ConsoleBlock] = []
    var isInside = false
    var above: Substring = ""
    for (at, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line == "```console" {
        isInside = true
        let name = above.hasPrefix(mark) && above.hasSuffix(" -->") ? String(above.dropFirst(mark.count).dropLast(4)) : nil
        blocks.append(ConsoleBlock(name: name))
      } else if line.hasPrefix("```") {
        isInside = false
      } else if isInside, line.hasPrefix("$ ") {
        blocks[blocks.count - 1].commands.append(Command(line: at + 1, text: String(line.dropFirst(2))))
      } else if isInside, let last = blocks[blocks.count - 1].commands.indices.last {
        blocks[blocks.count - 1].commands[last].add(line)
      }
      above = line
    }
    return blocks
  }

  private static let mark = "<!-- not run: "
}

/// A block of a Markdown file that is the whole text of a file: the comment `<!-- file: NAME -->` stands right above it.
struct FileBlock: Equatable {
  let name: String
  var text = ""

  /// The blocks of a document, in its order.
  static func all(in text: String) -> [FileBlock] {
    var blocks: [FileBlock] = []
    var isInside = false
    var above: Substring = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !isInside, line.hasPrefix("```"), above.hasPrefix(mark), above.hasSuffix(" -->") {
        isInside = true
        blocks.append(FileBlock(name: String(above.dropFirst(mark.count).dropLast(4))))
      } else if line.hasPrefix("```") {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1].text += line + "\n"
      }
      above = line
    }
    return blocks
  }

  private static let mark = "<!-- file: "
}
