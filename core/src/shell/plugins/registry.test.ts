import { type AnyConnectorSpec, type HostParser, type ReportParser, readManifest } from '@breakwater/sdk';
import { Container } from 'inversify';
import { describe, expect, it } from 'vitest';
import { CAPABILITY, type LoadedPlugin } from './container.ts';
import { createPluginRegistry, withoutConflicts } from './registry.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A parser that recognises reports beginning with its own name, as sure as told. */
function parserOf(
  tool: string,
  options: Partial<ReportParser> & { sure?: number; byName?: number } = {},
): ReportParser {
  const { sure = 1, byName = 0, ...rest } = options;
  return {
    tool,
    formats: ['json'],
    recognise: (head, name) => {
      const score = new TextDecoder().decode(head).includes(tool) ? sure : 0;
      return score + (name?.includes(tool) ? byName : 0);
    },
    async *parse(_report, { family }) {
      yield { kind: 'finding', ruleId: 'R1', title: family ?? 'no family', type: 'SAST', severity: 'low' };
    },
    ...rest,
  };
}

const entry = (id: string, title: string, parser?: AnyConnectorSpec['parser']): AnyConnectorSpec => ({
  id,
  title,
  category: 'sca',
  image: '/images/entry.svg',
  description: 'An entry.',
  ...(parser && { parser }),
});

function pluginOf(id: string, connectors: AnyConnectorSpec[], parsers: ReportParser[]): LoadedPlugin {
  const importers = parsers.map(({ tool }) => ({ tool, title: tool.toUpperCase() }));
  return { plugin: readManifest({ id, version: '1.0.0', connectors, importers }), parsers, server: null };
}

const opengrep = parserOf('opengrep', { aliases: ['semgrep'] });
const scanners = pluginOf(
  'scanners',
  [
    entry('grype', 'Grype', { tool: 'grype', family: 'Container' }),
    entry('trivy-container', 'Trivy Container', { tool: 'trivy', family: 'Container' }),
    entry('trivy-sca', 'Trivy SCA', { tool: 'trivy', family: 'SCA' }),
    entry('opengrep', 'OpenGrep', { tool: 'opengrep', family: 'SAST' }),
    entry('plain', 'Plain'),
  ],
  [parserOf('grype'), parserOf('trivy'), opengrep, parserOf('sarif')],
);
const registry = createPluginRegistry([scanners]);

describe('resolveTool', () => {
  it.each([
    ['trivy', { id: 'trivy', tool: 'trivy', title: 'TRIVY', family: null, connectorId: null }],
    ['trivy-container', { id: 'trivy-container', tool: 'trivy', family: 'Container', connectorId: 'trivy-container' }],
    ['trivy-sca', { id: 'trivy-sca', tool: 'trivy', title: 'Trivy SCA', family: 'SCA', connectorId: 'trivy-sca' }],
    ['grype', { id: 'grype', tool: 'grype', title: 'Grype', family: 'Container', connectorId: 'grype' }],
    ['semgrep', { id: 'opengrep', tool: 'opengrep', family: 'SAST', connectorId: 'opengrep' }],
    ['  OpenGrep ', { id: 'opengrep' }],
    ['sarif', { id: 'sarif', family: null, connectorId: null }],
  ])('knows %s', (name, tool) => {
    expect(registry.resolveTool(name)).toMatchObject(tool);
  });

  it.each(['nessus', '', 'plain', 'auto', '__proto__', 'constructor'])('does not know %j', (name) => {
    expect(registry.resolveTool(name)).toBeNull();
  });

  it('lists every name once, sorted', () => {
    expect(registry.tools().map((tool) => tool.id)).toEqual([
      'grype',
      'opengrep',
      'sarif',
      'trivy',
      'trivy-container',
      'trivy-sca',
    ]);
  });

  it('does not offer an entry whose importer has no code in this process', () => {
    const bare = createPluginRegistry([{ ...scanners, parsers: [] }]);
    expect(bare.tools()).toEqual([]);
    expect(bare.resolveTool('trivy-sca')).toBeNull();
    expect(bare.entries()).toHaveLength(5);
  });
});

describe('recogniseTool', () => {
  const recognise = async (parsers: ReportParser[], head: string, name?: string) =>
    (await createPluginRegistry([pluginOf('p', [], parsers)]).recogniseTool(bytes(head), name))?.id ?? null;

  it('takes the parser that is surest', async () => {
    expect(await recognise([parserOf('a', { sure: 0.6 }), parserOf('b', { sure: 0.9 })], 'a b')).toBe('b');
  });

  it('gives the entry where importer and entry have one name', async () => {
    expect(await registry.recogniseTool(bytes('{"grype"'))).toMatchObject({ id: 'grype', family: 'Container' });
    expect(await registry.recogniseTool(bytes('{"trivy"'))).toMatchObject({ id: 'trivy', family: null });
  });

  it('recognises nothing below one half', async () => {
    expect(await recognise([parserOf('a', { sure: 0.49 })], 'a')).toBeNull();
    expect(await recognise([parserOf('a', { sure: 0.5 })], 'a')).toBe('a');
  });

  it('does not choose between two that are equally sure', async () => {
    expect(await recognise([parserOf('a', { sure: 0.9 }), parserOf('b', { sure: 0.88 })], 'a b')).toBeNull();
  });

  it('lets the file name decide between two that are equally sure, and only then', async () => {
    const parsers = [parserOf('aa', { sure: 0.7, byName: 0.2 }), parserOf('bb', { sure: 0.7, byName: 0.2 })];
    expect(await recognise(parsers, 'aa bb', 'bb.json')).toBe('bb');
    expect(await recognise(parsers, 'aa bb', 'report.json')).toBeNull();
    expect(await recognise(parsers, 'aa', 'bb.json')).toBe('aa');
  });

  it('never goes by the name alone', async () => {
    expect(await recognise([parserOf('aa', { byName: 1 })], '{}', 'aa.json')).toBeNull();
    expect(await recognise([parserOf('aa', { byName: 1 })], '', 'aa.json')).toBeNull();
  });

  it('is not disturbed by a parser that trips or answers nonsense', async () => {
    const trips = parserOf('x', {
      recognise: () => {
        throw new RangeError('offset is out of bounds');
      },
    });
    const nonsense = parserOf('y', { recognise: () => Number.NaN });
    expect(await recognise([trips, nonsense, parserOf('a')], 'a x y')).toBe('a');
  });
});

describe('capabilities', () => {
  const families = async (parser: HostParser | null, family?: string) => {
    const found: string[] = [];
    const options = { signal: new AbortController().signal, ...(family === undefined ? {} : { family }) };
    for await (const record of parser?.parse(emptyReport(), options) ?? []) {
      if (record.kind === 'finding') found.push(record.title);
    }
    return found;
  };
  async function* emptyReport(): AsyncIterable<Uint8Array> {}

  it("gives the parser of an entry, with the entry's family", async () => {
    expect(await families(registry.capability('parser', 'trivy-container'))).toEqual(['Container']);
    expect(await families(registry.capability('parser', 'trivy-sca'))).toEqual(['SCA']);
    expect(await families(registry.capability('parser', 'trivy-sca'), 'IaC')).toEqual(['IaC']);
  });

  it('is null where a connector cannot', () => {
    expect(registry.capability('parser', 'plain')).toBeNull();
    expect(registry.capability('parser', 'nobody')).toBeNull();
    expect(registry.capability('check', 'grype')).toBeNull();
  });

  it('gives the check that the server code brings', async () => {
    const check = async () => ({ identity: 'octocat' });
    const server = { pluginId: 'scanners', connectors: { plain: { check } } };
    expect(createPluginRegistry([{ ...scanners, server }]).capability('check', 'plain')).toBe(check);
  });

  it('is reachable from child containers, which bind no capability themselves', () => {
    const child = new Container({ parent: registry.container });
    child.bind(Symbol.for('connection')).toConstantValue('of one client');
    expect(child.get(CAPABILITY.parser, { name: 'grype' }).tool).toBe('grype');
    expect(child.get(CAPABILITY.parser, { name: 'trivy-sca' }).tool).toBe('trivy');
  });

  it('lists parsers and entries from the catalogue, not from the container', () => {
    expect(registry.container.getAll(CAPABILITY.parser)).toEqual([]);
    expect(registry.parsers().map((parser) => parser.tool)).toEqual(['grype', 'trivy', 'opengrep', 'sarif']);
    expect(registry.entries().map((each) => each.address)).toContain('sca/trivycontainer');
    expect(registry.entryAt('sca/trivycontainer')?.connector.id).toBe('trivy-container');
    expect(registry.entry('trivy-container')).toMatchObject({ pluginId: 'scanners', pluginVersion: '1.0.0' });
    expect(registry.entry('nobody')).toBeNull();
    expect(registry.entryAt('sca/nobody')).toBeNull();
  });
});

describe('withoutConflicts', () => {
  it.each<[string, LoadedPlugin, string]>([
    ['a plugin id', pluginOf('scanners', [], []), 'plugin id "scanners"'],
    ['a connector', pluginOf('other', [entry('grype', 'Other')], []), 'connector "grype"'],
    ['an address', pluginOf('other', [entry('other', 'TRIVY SCA')], []), 'address "sca/trivysca"'],
    ['an importer', pluginOf('other', [], [parserOf('sarif')]), 'importer "sarif"'],
    [
      'an importer by an entry of its name',
      pluginOf('other', [entry('sarif', 'Other', { tool: 'other', family: 'SAST' })], [parserOf('other')]),
      'importer "sarif"',
    ],
    ['an alias', pluginOf('other', [], [parserOf('other', { aliases: ['semgrep'] })]), 'importer "semgrep"'],
  ])('leaves out the later plugin that claims %s', (_, other, what) => {
    const { plugins, conflicts } = withoutConflicts([scanners, other]);
    expect(plugins).toEqual([scanners]);
    expect(conflicts).toEqual([{ pluginId: other.plugin.id, reason: `${what} belongs to plugin "scanners" already` }]);
  });

  it('keeps plugins that claim different names', () => {
    const other = pluginOf('other', [entry('other-entry', 'Other')], [parserOf('other')]);
    expect(withoutConflicts([scanners, other])).toEqual({ plugins: [scanners, other], conflicts: [] });
  });
});
