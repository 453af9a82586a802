// Which files count: hiding, drop-ins, and what is ignored.

import GameConfCore
import Testing

@Suite("Places of catalogs")
struct CatalogPlacesTests {
  private let survey = CatalogLocations.survey([
    CatalogLocation(
      directory: "/etc", files: ["mine.yaml", ".hidden.yaml", "mine.yaml~"], dropIns: ["mine.d": ["20-b.yaml", "notes.txt"]]),
    CatalogLocation(directory: "/run", files: [], dropIns: ["mine.d": ["10-a.yaml", "20-b.yaml"], "lost.d": ["a.yaml"]]),
    CatalogLocation(directory: "/usr", files: ["mine.yaml", "other.yaml", "Bad Name.yaml", ".yaml"], dropIns: ["other.d": []]),
  ])

  @Test("an earlier place hides a file of the same name in a later one")
  func hiding() {
    #expect(survey.games.map(\.game) == ["mine", "other"])
    #expect(survey.games.map(\.main) == ["/etc/mine.yaml", "/usr/other.yaml"])
    #expect(survey.games.map(\.hidden) == [["/usr/mine.yaml"], []])
  }

  @Test("drop-ins of all places apply in name order, a same-named one in an earlier place hides the later")
  func dropIns() {
    #expect(survey.games.map(\.dropIns) == [["/run/mine.d/10-a.yaml", "/etc/mine.d/20-b.yaml"], []])
  }

  @Test("what counts for nothing is named")
  func remarks() {
    #expect(survey.remarks.count == 2)
    #expect(survey.remarks.first?.hasPrefix("/usr/Bad Name.yaml: ignored") == true)
    #expect(survey.remarks.last == "/run/lost.d: ignored, there is no lost.yaml to change")
  }

  @Test("a hidden file with keys the winner lacks is warned of")
  func lacking() {
    let remark = CatalogLocations.remark(onHidden: "/usr/mine.yaml", keys: ["b", "a", "c"], by: "/etc/mine.yaml", winnerKeys: ["a"])
    #expect(remark == "/etc/mine.yaml hides /usr/mine.yaml, which has keys it lacks: b, c")
    #expect(CatalogLocations.remark(onHidden: "/usr/mine.yaml", keys: ["a"], by: "/etc/mine.yaml", winnerKeys: ["a", "b"]) == nil)
  }
}
