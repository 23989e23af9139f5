import type { FindingType, ReportParser } from '@breakwater/sdk';

/** What an upload may name: an importer, or a card of the catalogue that stands for one family of an importer's findings. */
export interface ReportTool {
  /**
   * Stable id to store and to scope by: the catalogue id (`trivy-container`) or the tool name (`trivy`).
   * An alias is resolved: an upload as `semgrep` has the id `opengrep`.
   */
  id: string;
  /** Name of the importer, `trivy`. */
  tool: string;
  /** For people. */
  title: string;
  /** Family to hand to `parser.parse`; null leaves it to the parser. */
  family: FindingType | null;
  /** Card that this is, if it is one. */
  connectorId: string | null;
  formats: readonly string[];
  parser: ReportParser;
}

/**
 * The importers of all plugins, as the upload handler and the parse worker see them. The implementation is the plugin registry
 * (`core/src/shell/plugins`); it is handed in by the composition root, because slices may not import the shell.
 */
export interface ReportTools {
  /** Every name an upload may carry, cards and importers, sorted by id. */
  tools(): readonly ReportTool[];
  /** By catalogue id, tool name or alias, upper and lower case alike. Null when nothing has that name. */
  resolveTool(name: string): ReportTool | null;
  /**
   * By content: `head` is the first 64 KiB of the unpacked report. Null when no parser is sure, or two are equally sure.
   * `fileName` only breaks ties; a name alone recognises nothing.
   */
  recogniseTool(head: Uint8Array, fileName?: string): ReportTool | null;
}
