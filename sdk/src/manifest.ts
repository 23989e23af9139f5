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

/** `plugin "scanners", connector "grype", field "image"` for a path such as `connectors / 3 / image`. */
export function issuePlace(spec: unknown, path: readonly string[]): string {
  const [list, index, ...rest] = path;
  const parts = [`plugin "${nameOf(spec, 'id') ?? '?'}"`];
  const item = list === 'connectors' || list === 'importers' ? itemAt(spec, list, index) : undefined;
  if (item === undefined || index === undefined) return [...parts, ...field(path)].join(', ');
  const [kind, key] = list === 'connectors' ? ['connector', 'id'] : ['importer', 'tool'];
  parts.push(`${kind} "${nameOf(item, key) ?? `#${Number(index) + 1}`}"`);
  return [...parts, ...field(rest)].join(', ');
}

function field(path: readonly string[]): string[] {
  const [first, second, name, ...rest] = path;
  if (first === undefined) return [];
  if (first === 'credentials' && second === 'properties' && name !== undefined) {
    return [`credential field "${[name, ...rest].join('.')}"`];
  }
  return [`field "${path.join('.')}"`];
}

function itemAt(spec: unknown, list: string, index: string | undefined): unknown {
  if (!isRecord(spec) || index === undefined) return undefined;
  const items = spec[list];
  return Array.isArray(items) ? items[Number(index)] : undefined;
}

function nameOf(value: unknown, key: string): string | undefined {
  const name = isRecord(value) ? value[key] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Names in the templates of a text: `https://{{host}}:{{port}}` gives host and port. Templates are look-ups, never code. */
export function templateKeys(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '');
}
