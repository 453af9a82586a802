// Tests the bytes of written image files, which the C reader's tests read and the documentation prints.

import FoundationEssentials
import GameConfAPI
import GameConfCore
import Testing

@Suite("Images")
struct ImageWriterTests {
  private let top = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })

  @Test(
    "the sample image and patch have the bytes of the files that the C reader is tested with",
    arguments: [("sample.image", ImageSamples.image), ("sample.patch", ImageSamples.patch)])
  func fixtures(name: String, content: ImageContent) throws {
    let bytes = try #require(ImageWriter.bytes(content))
    let path = "\(top)/Tests/Fixtures/Images/\(name)"
    if ProcessInfo.processInfo.environment["GAMECONF_RECORD"] != nil { try Data(bytes).write(to: URL(filePath: path)) }
    #expect(FileManager.default.contents(atPath: path).map(Array.init) == bytes, "GAMECONF_RECORD=1 writes \(name) anew")
  }

  @Test("the documentation prints the bytes of the sample image")
  func documentation() throws {
    let image = try #require(ImageWriter.bytes(ImageSamples.image))
    let path = "\(top)/Sources/gameconfd/Documentation.docc/ImageFormat.md"
    var page = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let dump = ImageSamples.annotated(image)
    if ProcessInfo.processInfo.environment["GAMECONF_RECORD"] != nil, let start = page.firstRange(of: "```text\n"),
      let end = page[start.upperBound...].firstRange(of: "\n```\n")
    {
      page.replaceSubrange(start.upperBound..<end.lowerBound, with: dump)
      try Data(page.utf8).write(to: URL(filePath: path))
    }
    #expect(page.contains("```text\n\(dump)\n```\n"), "GAMECONF_RECORD=1 prints it anew")
  }

  @Test("an image has the same bytes for the same content, also if the members of the context have another order")
  func deterministic() {
    var one = ImageSamples.image
    var other = ImageSamples.image
    one.context = ["a": 1, "b": 2]
    other.context = ["b": 2, "a": 1]
    #expect(ImageWriter.bytes(one) == ImageWriter.bytes(other))
    other.revision += 1
    #expect(ImageWriter.bytes(one) != ImageWriter.bytes(other))
  }

  @Test("an image whose size exceeds the limit is not written")
  func tooLong() {
    func content(bytes: Int) -> ImageContent {
      let long = Value.string(String(repeating: "x", count: bytes))
      return ImageContent(
        game: "dots", epoch: 1, revision: 1, madeAt: Instant(milliseconds: 0),
        entries: [ImageEntry(key: "long", type: .string, value: long, source: .remote, reason: .static, revision: 1)])
    }
    let longest = ImageWriter.bytes(content(bytes: 3_000), limit: 4_096)
    #expect(longest?.count == 3_520)
    let fits = ImageWriter.bytes(content(bytes: 3_000), limit: 3_520) != nil
    let isTooLong = ImageWriter.bytes(content(bytes: 3_000), limit: 3_519) == nil
    #expect(fits && isTooLong)
    #expect(ImageWriter.bytes(content(bytes: ImageWriter.bytesMax)) == nil)
  }

  @Test("a frame of an image stream begins with the payload's length, the kind and the event id")
  func frame() {
    #expect(ImageFrame.bytes(.ping, id: "1.2") == [0, 0, 0, 0, 3, 3, 0, 0, 0x31, 0x2E, 0x32])
    #expect(ImageFrame.bytes(.dropped, id: "", payload: [0x78]) == [1, 0, 0, 0, 4, 0, 0, 0, 0x78])
  }
}
