// The bridge's token, which comes from a file or the environment, never from the command line.
import Glibc
import Testing

@testable import gameconfctl

@Suite("The bridge's token")
struct BridgeTokenTests {
  @Test("the bridge's token is read from its file, and a token that is too short or has invalid characters is refused")
  func file() throws {
    var path = Array("/tmp/gct-token.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      close(descriptor)
      unlink(name)
    }
    func given(_ text: String) throws -> String? {
      let bytes = Array(text.utf8)
      #expect(ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
      return try BridgeRun.parse(["--token-file", name]).givenToken()
    }
    #expect(try given("0123456789abcdef\n") == "0123456789abcdef")
    for text in ["0123456789abcde", "0123456789abcde/", "", "0123456789 abcdef"] {
      #expect(throws: CtlFailure.self) { try given(text) }
    }
    #expect(throws: (any Error).self) { try BridgeRun.parse(["--token", "0123456789abcdef"]) }
  }
}
