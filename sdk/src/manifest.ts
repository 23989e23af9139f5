import type { AnyConnectorSpec } from './connector.ts';

/** A report format that the plugin reads. Its code is a `ReportParser` with the same `tool`, see README "Entry points". */
export interface Importer {
  /** Tool name of `POST /upload_scan`, `grype`. Lower case. */
  readonly tool: string;
  /** Name for people, `OWASP Dependency-Check`. */
  readonly title: string;
}

/** A manifest whose structure is sound, defaults not yet filled in. */
export interface RawManifest {
  readonly id: string;
  readonly version: string;
  readonly publisher?: string;
  readonly connectors: readonly AnyConnectorSpec[];
  readonly importers?: readonly Importer[];
}
