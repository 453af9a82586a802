// Templates' files as the engine's source of them.

import GameConfEngine
import GameConfFormats

/// Looks at files that catalogs name.
struct TemplateFileLooks: TemplateFileSource {
  func mark(_ path: String) -> String { FileStamp(path).map { "\($0)" } ?? "gone" }

  func document(_ path: String) throws(TemplateFileFault) -> [UInt8] {
    guard path.hasPrefix("/") else {
      throw TemplateFileFault("write the whole path, such as /etc/gameconfd/templates/game.json")
    }
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try FolderFiles.read(path, bytesMax: TemplateLimits.documentBytesMax) } catch {
      throw TemplateFileFault(error.message)
    }
    do throws(FormatFault) { return try TemplateText.json(of: bytes) } catch { throw TemplateFileFault("\(error)") }
  }
}
