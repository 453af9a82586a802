// The limits of the daemon that `gameconfctl status` does not show, with the reasons.

/// The exceptions from the rule that `gameconfctl status` shows every limit of the daemon.
enum LimitTable {
  static let path = "Tests/ArchitectureTests/LimitTable.swift"

  /// The names of the limits that `gameconfctl status` does not show, grouped by the reason.
  static let exceptions: [(reason: String, limits: [String])] = [
    (
      "A catalog, a template or one of their parts that exceeds it is refused when it is read, and the refusal names the limit.",
      [
        "AttributeTest.versionSegmentsMax", "CatalogCheck.introPeriodsMax", "CatalogCheck.levelMax", "CatalogCheck.listedMax",
        "CatalogCheck.localesMax", "CatalogCheck.partsMax", "CatalogNames.aliasCharactersMax", "EventCheck.countMax", "EventCheck.stepsMax",
        "EventDefinition.historyMax", "FirebaseTokens.charactersMax", "Leaderboard.perMax", "Pattern.nestingMax", "Pattern.programMax",
        "Pattern.repetitionsMax",
        "Pattern.sourceScalarsMax", "Pattern.stepsMax", "PropertyList.bytesMax", "PropertyList.depthMax", "SchemaLimits.chainMax",
        "SchemaLimits.checkDepthMax", "SchemaLimits.depthMax", "SchemaLimits.schemasMax", "SchemaLimits.stepsMax", "StoreKitFile.bytesMax",
        "Template.conditionsMax", "Template.parametersMax", "TemplateCondition.depthMax", "YAMLParser.depthMax", "YAMLText.bytesMax",
      ]
    ),
    ("Another name for a limit that status shows.", ["CatalogCheck.rulesMax"]),
    (
      "A bound of a protocol or of a text's grammar, which is the same in each version.",
      [
        "CalendarPeriod.countMax", "DurationText.millisecondsMax", "DurationText.textBytesMax", "FirebaseAcceptance.conditionNameMax",
        "FirebaseAcceptance.descriptionMax", "FirebaseAcceptance.keyMax", "Instant.textBytesMax",
        "Instant.writtenBytesMax", "JSONParser.doubleBytesMax", "JSONWriter.integerBytesMax", "PlayerLimits.sequenceNumberMax",
        "PostgresSettings.schemaBytesMax", "SimulatedClock.rateThousandthsMax",
        "UnixAddress.pathBytesMax", "Value.integerInDoubleMax",
        "Zone.bytesMax", "ZoneName.bytesMax",
      ]
    ),
    (
      "The most that one call lists or takes; the description of the call has it.",
      [
        "AuditSelection.linesMax", "BoardLimits.bestsListedMax", "GateRequest.checksMax", "PlayerService.playersListedMax",
        "PlayerService.playsListedMax",
        "ShopBehaviour.failureTimesMax", "TemplateSourceRequest.faultsMax", "TemplateSourceRequest.nextSecondsMax",
        "TemplateSourceRequest.textBytesMax",
      ]
    ),
    (
      "How much is shown of something longer; the rest is cut or counted, and nothing is refused.",
      [
        "CatalogChanges.fieldBytesMax", "CatalogChanges.keysMax", "CatalogChanges.namesMax", "CatalogCheck.suggestionsMax",
        "CatalogReadResult.faultsMax", "Faults.reportedMax", "JSONPointer.nameBytesMax",
        "LogRecord.keysMax", "LogRecord.messageBytesMax", "LogRecord.valueBytesMax", "LogicLimits.traceEntriesMax",
        "LogicLimits.traceInputsMax", "LogicPhrase.lengthMax", "NearestNames.nameBytesMax", "OverrideLimits.rowsShownMax",
        "SchemaLimits.violationsMax",
        "ServiceNotifier.statusBytesMax", "ShopperRoutes.actsShownMax", "Simulation.sharesMax", "TemplateTrace.factsMax",
        "TraceRendering.conditionBytesMax",
        "YAMLParser.faultsMax",
      ]
    ),
    (
      "The size or the length of one step of the daemon's own work; it refuses nothing.",
      [
        "AuditPack.linesMax", "BulkChangeLimiter.shareMax", "BulkChangeLimiter.waitMax", "ChangePreparation.attemptsMax",
        "ChangePreparation.gameSlotsMax",
        "LiveLimits.pieceBytesMax", "LiveLine.valueBytesMax", "WatchTiming.betweenMax", "PlayLimits.droppedAtOnceMax",
        "PlayerLimits.transactionEventsMax", "PostgresGrammar.linesMax",
        "Route.bodyBytesAtOnceMax", "ScenarioLimits.endingStepsMax",
        "ScenarioLimits.takenBackAtOnceMax", "SlicedWork.slicesAtOnceMax",
        "StoreLimits.batchTransactionsMax", "StoreLimits.logBytesDuringBackupMax", "StoreLimits.logBytesDuringCheckMax",
        "StoreLimits.retentionRowsMax", "StreamLimits.sliceBytesMax", "StreamLimits.sliceLinesMax", "UserNames.lookupsMax",
      ]
    ),
    (
      "How far two clocks may differ before that counts.",
      ["EventCheck.presentSecondsMax", "StoreFleet.aheadMillisecondsMax", "WatchScope.aheadMillisecondsMax"]
    ),
    (
      "The size of something in memory; what does not fit is read again, or counts together with the rest.",
      [
        "AdminRing.stepsMax", "BoardHistogram.stepsMax", "BoardLimits.histogramsMax", "BoardLimits.scoresKnownMax",
        "ChangeRing.playersNamedMax", "EvaluationTallies.namesMax", "GameMeters.rulesMax", "PlayCache.playsMax",
        "PlayerReadMarks.marksMax", "ReadMarks.positionsMax",
        "PrometheusMetrics.familiesMax", "PrometheusMetrics.seriesMax", "SettledLedgerCache.bytesMax", "UserNames.namesMax",
        "UserNames.secondsMax",
      ]
    ),
    ("The name of a row of the database, not a limit.", ["RevisionRows.playerMax"]),
  ]
}
