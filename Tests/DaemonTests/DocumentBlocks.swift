// Extracts the examples of a Markdown file: commands with their expected output, and the files that the commands use.

/// A console block of a Markdown file.
struct ConsoleBlock: Equatable {
  struct Command: Equatable {
    /// The line number in the file, from 1.
    let line: Int
    /// The command, joined with the lines that a backslash continues.
    private(set) var text: String
    /// The expected output: the lines below the command.
    private(set) var shown: [String] = []

    init(line: Int, text: String, shown: [String] = []) { (self.line, self.text, self.shown) = (line, text, shown) }

    /// Adds the next line of the block.
    mutating func add(_ line: Substring) {
      if shown.isEmpty, text.hasSuffix("\\") { text += "\n" + line } else { shown.append(String(line)) }
    }
  }

  /// The name of a block that must not be run, from the comment `<!-- not run: NAME -->` directly above it; nil otherwise.
  let name: String?
  var commands: [Command] = []

  /// Returns all console blocks of a file, in order.
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

/// A block with the whole content of a file, marked by the comment `<!-- file: NAME -->` directly above it.
struct FileBlock: Equatable {
  let name: String
  var text = ""

  /// Returns all file blocks of a document, in order.
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
