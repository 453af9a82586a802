// A catalog's defaults as an image that a game embeds.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("The command catalog image")
struct CatalogImageTests {
  private let file = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }) + "/Defaults/wheresthedot.yaml"

  @Test("the image of a shipped catalog is deterministic and has every key's default, except for daily seeds")
  func shipped() throws {
    let catalog = try CatalogValidation.catalog(inFile: file)
    let noon = Instant(seconds: 1_767_268_800)
    let content = CatalogImage.content(of: catalog, locale: nil, at: noon)
    let daily = catalog.parameters.filter { if case .dailyHash = $0.defaultValue { true } else { false } }.map(\.key)
    #expect(daily == ["daily_seed"])
    #expect(content.entries.map(\.key) == catalog.parameters.filter { !$0.isSecret && !daily.contains($0.key) }.map(\.key))
    #expect(content.flags == .defaults && content.player == nil && content.epoch == 0)
    let limit = try #require(content.entries.first { $0.key == "arcade_time_limit_base" })
    #expect(limit.value == 2.5 && limit.source == .catalogDefault)
    let bytes = try #require(ImageWriter.bytes(content))
    #expect(ImageWriter.bytes(CatalogImage.content(of: catalog, locale: nil, at: noon)) == bytes)
    #expect(ImageWriter.flags(of: bytes) == .defaults)
  }
}
