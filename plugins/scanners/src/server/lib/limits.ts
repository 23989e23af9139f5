/**
 * What a report may hold before it is refused. Real reports stay far below each of these
 * (deepest seen: 31 levels, longest text: 300 KB), hostile ones are cut off early.
 */
export const LIMITS = {
  depth: 100,
  /** Records of one report, all kinds together. */
  records: 5_000_000,
  /** Sub-documents such as Trivy targets or SARIF runs. */
  nodes: 200_000,
  recordBytes: 32 * 1024 * 1024,
  /** Keys of one record, those of its parts too. */
  recordKeys: 250_000,
  valueBytes: 32 * 1024 * 1024,
  /** Elements inside one XML record. */
  elements: 500_000,
  /** Unreadable records that are listed; the rest is only counted. */
  unreadable: 1_000,
  /** Lines of JSON lines that may be broken before the whole is taken for something else. */
  brokenLines: 10_000,
  /** Files of an archive; those of a large project are part of some. */
  archiveEntries: 200_000,
  /** Bytes of all parts of an archive that are read, unpacked. */
  archiveBytes: 4 * 1024 * 1024 * 1024,
  /** Unpacked bytes for one packed byte; XML reaches 60. Small files may be packed more tightly. */
  archiveRatio: 300,
  archiveRatioFrom: 16 * 1024 * 1024,
  listItems: 10_000,
  titleChars: 500,
  idChars: 500,
  pathChars: 4_096,
  textChars: 64 * 1024,
  snippetChars: 16 * 1024,
  /** Of a request or a response. Longer than what is stored, so that the host sees every secret whole that it masks. */
  messageChars: 80_000,
  urlChars: 2_048,
  references: 200,
  locations: 1_000,
  flows: 50,
  flowSteps: 500,
} as const;
