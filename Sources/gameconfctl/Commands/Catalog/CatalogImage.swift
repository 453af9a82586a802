// gameconfctl catalog image

import ArgumentParser
import GameConfAPI
import GameConfCore

struct CatalogImage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "image", abstract: "Write a catalog's defaults as an image that a game embeds.",
    discussion: """
      The image holds the values for a caller without a player, in the catalog's first language unless --locale names another. Secret parameters \
      and daily hashes are left out. With the same --at the same catalog gives the same bytes. libgameconf reads it as the options' “defaults”.
      """)

  @Argument(help: "The catalog's file.", completion: .file(extensions: ["yaml"])) var file: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Where to write it; - is standard output.", valueName: "file"), completion: .file())
  var output: String
  @Option(help: ArgumentHelp("The language, such as fr-CA.", valueName: "tag")) var locale: String?
  @Option(help: ArgumentHelp("The time for which time-dependent values are computed.", valueName: "instant"))
  var at: String = "1970-01-01T00:00:00Z"

  func run() throws {
    let instant = try TimeText(now: Console.now).instant(at, "--at")
    if let locale, !LocaleTag.isWellFormed(locale) { throw CtlFailure.usage("--locale is a language tag such as fr-CA, not “\(locale)”.") }
    let catalog = try CatalogValidation.catalog(inFile: file)
    guard let bytes = ImageWriter.bytes(Self.content(of: catalog, locale: locale, at: instant)) else {
      throw CtlFailure.refused(["\(file) is too large for an image, which has at most \(ImageWriter.bytesMax) bytes"])
    }
    try FileBytes.replace(output, with: bytes)
  }

  /// Returns the defaults of a catalog as a client without a player receives them.
  static func content(of catalog: Catalog, locale: String?, at instant: Instant) -> ImageContent {
    let table = ParameterTable(catalog: catalog)
    let caller = Caller(
      context: locale.map { ObjectValue([("locale", .string($0))]) } ?? ObjectValue(),
      locales: LocaleLookup.order(for: locale, among: catalog.locales), now: instant)
    let entries = table.entries.enumerated().compactMap { at, entry -> ImageEntry? in
      // An image must not contain a daily seed: the seed of the day of its creation would apply on every day.
      if case .dailyHash = entry.parameter.defaultValue { return nil }
      guard !entry.parameter.isSecret, let answer = table.resolve(at: at, for: caller) else { return nil }
      return ImageEntry(
        key: entry.parameter.key, type: entry.parameter.type, value: answer.value, source: ImageEntry.EntrySource(answer.layer),
        reason: answer.reason, variant: answer.variant, revision: 0, nextChangeAt: answer.nextChangeAt,
        flags: entry.variation.subtracting(.clock).isEmpty ? [] : .variesByCaller)
    }
    return ImageContent(
      game: catalog.game, locale: locale, epoch: 0, revision: 0, madeAt: instant, flags: .defaults, entries: entries)
  }
}
