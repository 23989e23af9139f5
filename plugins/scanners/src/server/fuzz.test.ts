import { ReportError, type ReportParser } from '@breakwater/sdk';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { parsers } from './index.ts';
import { toUtf8 } from './lib/input/decode.ts';
import { propertyRuns } from './testing/property-runs.ts';
import { inChunks, sampleBytes, samples } from './testing/samples.ts';
import { recordIssues } from './testing/shape.ts';

/** Whatever arrives, a parser yields sound records or refuses the report; nothing else comes out of it. */

const RUNS = propertyRuns(30);
const STEP_LIMIT = 50_000;

async function outcome(parser: ReportParser, bytes: Uint8Array): Promise<'read' | 'refused'> {
  let steps = 0;
  try {
    for await (const record of parser.parse(inChunks(bytes, 1_000), { signal: new AbortController().signal })) {
      const issues = recordIssues(record);
      if (issues.length > 0)
        throw new Error(`${parser.tool}: ${issues.join(', ')} in ${JSON.stringify(record).slice(0, 500)}`);
      steps += 1;
      if (steps > STEP_LIMIT) throw new Error(`${parser.tool}: does not come to an end`);
    }
    return 'read';
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    expect(error.message.length).toBeGreaterThan(20);
    return 'refused';
  }
}

/** Small samples of the tool. The only JSON of Dependency-Check is large: its vulnerable dependencies stand for it. */
function seeds(tool: string): Buffer[] {
  const small = samples()
    .filter((sample) => sample.tool === tool && sample.expect !== 'error' && sample.expect !== 'empty')
    .map((sample) => toUtf8(sampleBytes(sample.file)))
    .filter((bytes) => bytes.length < 40_000);
  if (tool !== 'owasp-dependency-check') return small;
  const large: { dependencies: { vulnerabilities?: unknown[] }[] } = JSON.parse(
    sampleBytes('owasp-dependency-check/ssf_juice_shop_dependency-check-report.json').toString(),
  );
  const dependencies = large.dependencies.filter((dependency) => dependency.vulnerabilities !== undefined).slice(0, 3);
  return [...small, Buffer.from(JSON.stringify({ ...large, dependencies }))];
}

afterEach(() => {
  // A polluted prototype would show on every object.
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

describe.each(parsers.map((parser) => [parser.tool, parser] as const))('%s', (tool, parser) => {
  const reports = seeds(tool);
  const seed = fc.constantFrom(...reports);
  const property = <T>(arbitrary: fc.Arbitrary<T>, bytesOf: (value: T) => Uint8Array, runs = RUNS) =>
    fc.assert(
      fc.asyncProperty(arbitrary, async (value) => {
        await outcome(parser, bytesOf(value));
      }),
      { numRuns: runs },
    );

  test('has samples to start from', () => {
    expect(reports.length).toBeGreaterThan(0);
  });

  test('survives cut-off reports and never takes one for whole', async () => {
    await fc.assert(
      fc.asyncProperty(seed, fc.double({ min: 0.05, max: 0.95, noNaN: true }), async (bytes, share) => {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share));
        // Tables, tagged lines and JSON lines have no end to miss.
        const start = bytes.toString('latin1', 0, 20);
        const hasFrame = isJson(bytes) || /^\s*<|^PK/.test(start);
        if (hasFrame) expect(await outcome(parser, cut)).toBe('refused');
      }),
      { numRuns: RUNS },
    );
  });

  test('survives changed bytes', async () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 20 });
    await property(fc.tuple(seed, edits), ([bytes, changes]) => {
      const copy = Buffer.from(bytes);
      for (const [place, value] of changes) copy[place % copy.length] = value;
      return copy;
    });
  });

  const json = reports.filter(isJson);
  if (json.length > 0)
    test('survives values of the wrong type', async () => {
      const strange = fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom<unknown>(
          null,
          '',
          ' ',
          '\ud800',
          '\0',
          -1,
          1e308,
          [],
          {},
          [[]],
          [null],
          'CVE-',
          'javascript:alert(1)',
          'x'.repeat(5_000),
        ),
      );
      const mutated = fc.tuple(
        fc.constantFrom(...json),
        fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 30 }),
      );
      await property(
        mutated,
        ([bytes, changes]) => Buffer.from(JSON.stringify(replaced(JSON.parse(bytes.toString()), changes))),
        propertyRuns(100),
      );
    });

  test('survives any text and any JSON', async () => {
    await property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => bytes);
    await property(fc.string({ maxLength: 2_000, unit: 'binary' }), (text) => Buffer.from(text));
    await property(fc.jsonValue(), (value) => Buffer.from(JSON.stringify(value)));
    await property(fc.array(fc.jsonValue(), { maxLength: 8 }), (lines) =>
      Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
    );
  });

  test('refuses nesting 10,000 deep, wherever it stands', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const keys = ['results', 'matches', 'Results', 'dependencies', 'runs', 'components', 'metadata', 'tool', 'other'];
    const reportsOf = [
      deep,
      objects,
      ...keys.flatMap((key) => [`{"${key}":${deep}}`, `{"${key}":[${objects}]}`, `[{"${key}":[${deep}]}]`]),
    ];
    for (const text of reportsOf) expect(await outcome(parser, Buffer.from(text))).toBe('refused');
    const tags = `${'<a xmlns="http://cyclonedx.org/dependency-check">'.repeat(2_000)}`;
    expect(await outcome(parser, Buffer.from(tags))).toBe('refused');
  });

  test('is not polluted by __proto__ and constructor', async () => {
    const hostile =
      '"__proto__":{"polluted":true,"id":"x","name":"x"},"constructor":{"prototype":{"polluted":true}},"toString":1,';
    for (const bytes of reports) {
      const text = bytes.toString('utf8');
      if (!/^\s*[[{]/.test(text)) continue;
      const before = await outcome(parser, bytes);
      expect(await outcome(parser, Buffer.from(text.replaceAll(/\{(?=\s*")/g, `{${hostile}`)))).toBe(before);
    }
  });
});

/** One value, not several on lines. */
function isJson(bytes: Buffer): boolean {
  if (!/^\s*[[{]/.test(bytes.toString('utf8', 0, 20))) return false;
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** The value with the parts at the given places (counted depth first) replaced. */
function replaced(root: unknown, changes: readonly (readonly [number, unknown])[]): unknown {
  const places: { holder: object; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || places.length > 5_000) return;
    for (const [key, part] of Object.entries(value)) {
      places.push({ holder: value, key });
      visit(part);
    }
  };
  visit(root);
  for (const [at, value] of changes) {
    const place = places[at % Math.max(1, places.length)];
    if (place !== undefined) Reflect.set(place.holder, place.key, value);
  }
  return root;
}
