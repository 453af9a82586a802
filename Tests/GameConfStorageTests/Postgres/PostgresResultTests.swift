// Decoding of numbers in the server's binary form.
import Testing

@testable import GameConfStorage

@Suite("PostgreSQL's answers")
struct PostgresResultTests {
  @Test(
    "a sum of integers is decoded from the server's binary numeric, and any other numeric is nil",
    arguments: [
      ([0, 0, 0, 0, 0, 0, 0, 0], 0), ([0, 1, 0, 0, 0, 0, 0, 0, 0, 7], 7), ([0, 1, 0, 1, 0, 0, 0, 0, 0, 3], 30_000),
      ([0, 2, 0, 1, 0x40, 0, 0, 0, 0, 1, 0x27, 0x0F], -19_999), ([0, 1, 0xFF, 0xFF, 0, 0, 0, 1, 0, 5], nil),
      ([0, 2, 0, 0, 0, 0, 0, 0], nil),
      ([0, 1, 0, 9, 0, 0, 0, 0, 0, 3], nil), ([0, 0, 0, 0, 0xC0, 0, 0, 0], nil),
    ] as [([UInt8], Int64?)])
  func numeric(bytes: [UInt8], number: Int64?) { #expect(PostgresResult.integer(numeric: bytes) == number) }
}
