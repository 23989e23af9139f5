/** `plugin "scanners", connector "grype", field "image"` for a path such as `connectors / 3 / image`. */
export function faultPlace(spec: unknown, path: readonly string[]): string {
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
