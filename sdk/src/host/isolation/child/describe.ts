import { CAPABILITY_SHAPE, FUNCTION, LIST_SHAPES, PARSER_DATA, type Shape } from '../capability-shape.ts';

const at = (value: unknown, key: string): unknown =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' ? Reflect.get(value, key) : undefined;

/** What the host learns of a plugin: its manifest, and which members its code has. No function leaves the process. */
export function describePlugin(plugin: unknown, parsers: unknown, server: unknown): unknown {
  const connectors = at(server, 'connectors');
  const ids = typeof connectors === 'object' && connectors !== null ? Object.keys(connectors) : [];
  return {
    manifest: plainOf(plugin),
    parsers: Array.isArray(parsers) ? parsers.map(describeParser) : [],
    server:
      server === undefined
        ? null
        : {
            pluginId: at(server, 'pluginId'),
            connectors: Object.fromEntries(ids.map((id) => [id, describeConnector(at(connectors, id))])),
          },
  };
}

function describeParser(parser: unknown): unknown {
  return {
    ...Object.fromEntries(PARSER_DATA.map((name) => [name, plainOf(at(parser, name))])),
    recognise: typeof at(parser, 'recognise') === 'function' ? FUNCTION : null,
    parse: typeof at(parser, 'parse') === 'function' ? FUNCTION : null,
    hasTables: at(parser, 'tables') !== undefined,
  };
}

function describeConnector(code: unknown): unknown {
  const lists = Object.entries(LIST_SHAPES).map(([name, shape]) => {
    const list = at(code, name);
    return [name, Array.isArray(list) ? list.map((item: unknown) => describeMembers(item, shape)) : null];
  });
  return {
    ...describeMembers(code, CAPABILITY_SHAPE),
    ...Object.fromEntries(lists),
    scanner: at(code, 'scanner') === undefined ? null : FUNCTION,
    cloudLogin: at(at(code, 'cloud'), 'login') === undefined ? null : FUNCTION,
  };
}

function describeMembers(value: unknown, shape: Shape): Record<string, unknown> {
  const members = Object.entries(shape).flatMap(([name, kind]): [string, unknown][] => {
    const member = at(value, name);
    if (member === undefined || member === null) return [];
    if (kind === 'data') return [[name, plainOf(member)]];
    if (kind === 'call' || kind === 'stream') return typeof member === 'function' ? [[name, FUNCTION]] : [];
    return [[name, describeMembers(member, kind)]];
  });
  return Object.fromEntries(members);
}

/** As JSON says it, without functions. */
function plainOf(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null');
}
