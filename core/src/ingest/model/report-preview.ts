/** What is known of a report before it is sent, by reading it where it lies. The server reads all of it again. */
export type ReportPreview =
  | {
      kind: 'counted';
      /** As `RecognitionRequest.toolId`: an entry of the catalogue or an importer. */
      toolId: string;
      title: string;
      findings: number;
      components: number;
      /** Records that cannot be read. */
      unreadable: number;
      /** There are more: only the beginning was read. */
      isMore: boolean;
    }
  /** Its importer is known; what it holds is counted once it has been sent. */
  | { kind: 'uncounted'; toolId: string; title: string }
  /** An archive of reports, or a packing that only the server unpacks. */
  | { kind: 'packed' }
  /** No importer takes it, but it is a table whose columns somebody may name. */
  | { kind: 'table' }
  /** None of these importers takes it. The server may have more, of further plugins. */
  | { kind: 'unknown'; asked: readonly string[] }
  | { kind: 'empty' }
  /** It is another tool's than the one that was chosen. */
  | { kind: 'wrong_tool'; title: string }
  /** The importer refuses it and says why, in English. */
  | { kind: 'refused'; title: string; why: string }
  /** Looking at it took too long or too much memory. */
  | { kind: 'given_up' };
