// A folder for sockets, settings and logs, which is removed at the end.

import CLoad
import Glibc

/// A private folder of this run, with a path short enough for sockets.
struct Workspace {
  let path: String

  init() throws(BenchError) {
    var template = Array("/tmp/gcbench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchError("no folder in /tmp: \(String(cString: strerror(errno)))") }
    path = text(template)
  }

  func write(_ text: String, to name: String) throws(BenchError) {
    let bytes = Array(text.utf8)
    guard let file = fopen("\(path)/\(name)", "w") else { throw BenchError("\(name): \(String(cString: strerror(errno)))") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func folder(_ name: String) -> String {
    mkdir("\(path)/\(name)", 0o700)
    return "\(path)/\(name)"
  }

  func remove() { load_remove_tree(path) }
}
