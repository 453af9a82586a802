// Tests SHA-256 with published digests, such as those of FIPS 180-4, and with split input.

import GameConfCore
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "SHA-256 matches published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      // At about these lengths of the input, the padding needs another block.
      (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
      (String(repeating: "a", count: 63), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
      (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
      (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func vectors(text: String, expected: String) { #expect(SHA256.hex(of: text) == expected) }

  @Test("SHA-256 does not depend on how the input is split", arguments: [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 200])
  func pieces(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let whole = SHA256.digest(of: bytes)
    #expect(whole.count == SHA256.digestBytes)
    for cut in 0...count {
      var hash = SHA256()
      hash.update(bytes[..<cut])
      hash.update(bytes[cut...].lazy.map { $0 })
      #expect(hash.digest() == whole)
    }
  }
}
