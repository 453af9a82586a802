// Tests which catalog files of several folders are used, and which are hidden or ignored.

import GameConfCore
import Testing

@Suite("Folders of catalogs")
struct CatalogPlacesTests {
  private let survey = CatalogLocations.survey([
    CatalogLocation(
      directory: "/etc", files: ["mine.yaml", ".hidden.yaml", "mine.yaml~"], dropIns: ["mine.d": ["20-b.yaml", "notes.txt"]]),
    CatalogLocation(directory: "/run", files: [], dropIns: ["mine.d": ["10-a.yaml", "20-b.yaml"], "lost.d": ["a.yaml"]]),
    CatalogLocation(directory: "/usr", files: ["mine.yaml", "other.yaml", "Bad Name.yaml", ".yaml"], dropIns: ["other.d": []]),
  ])

  @Test("a catalog file hides a file of the same name in a later folder")
  func hiding() {
    #expect(survey.games.map(\.game) == ["mine", "other"])
    #expect(survey.games.map(\.main) == ["/etc/mine.yaml", "/usr/other.yaml"])
    #expect(survey.games.map(\.hidden) == [["/usr/mine.yaml"], []])
  }

  @Test("drop-ins of all folders apply in the order of their file names, and one hides a later one of the same name")
  func dropIns() {
    #expect(survey.games.map(\.dropIns) == [["/run/mine.d/10-a.yaml", "/etc/mine.d/20-b.yaml"], []])
  }

  @Test("an ignored catalog file or drop-in folder is reported with the reason")
  func remarks() {
    #expect(survey.remarks.count == 2)
    #expect(survey.remarks.first?.hasPrefix("/usr/Bad Name.yaml: ignored") == true)
    #expect(survey.remarks.last == "/run/lost.d: ignored, there is no lost.yaml to change")
  }

  @Test("a warning names the keys that a hidden catalog file has and the file in use lacks")
  func missing() {
    let remark = CatalogLocations.remark(onHidden: "/usr/mine.yaml", keys: ["b", "a", "c"], by: "/etc/mine.yaml", winnerKeys: ["a"])
    #expect(remark == "/etc/mine.yaml hides /usr/mine.yaml, which has keys it lacks: b, c")
    #expect(CatalogLocations.remark(onHidden: "/usr/mine.yaml", keys: ["a"], by: "/etc/mine.yaml", winnerKeys: ["a", "b"]) == nil)
  }
}
