// Reads the template files that catalogs name, for the engine.

import GameConfCore
import GameConfEngine
import GameConfStorage
import GameConfFormats

struct TemplateFileReader: TemplateFileSource {
  func mark(_ path: String) -> String { FileStamp(path).map { "\($0)" } ?? "gone" }

  func document(_ path: String) throws(Fault) -> [UInt8] {
    guard path.hasPrefix("/") else {
      throw Fault("write the whole path, such as /etc/gameconfd/templates/game.json")
    }
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try FolderFiles.read(path, bytesMax: TemplateLimits.documentBytesMax) } catch {
      throw Fault(error.message)
    }
    do throws(FormatFault) { return try TemplateText.json(of: bytes) } catch { throw Fault("\(error)") }
  }
}
