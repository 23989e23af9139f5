import type { NormalizedFinding, ReportParser } from '@breakwater/sdk';
import { describe, expect, test } from 'vitest';
import { type Parsed, parseBytes, parseText } from '../../testing/samples.ts';
import { grype } from '../../tools/grype/parser.ts';
import { opengrep } from '../../tools/opengrep/parser.ts';
import { sarif } from '../../tools/sarif/parser.ts';
import { trivy } from '../../tools/trivy/parser.ts';

/** Large reports are read while they arrive: what is held is a window of them, not the whole. */

const PIECE = 64 * 1024;
/** More than is looked at for records at once, and less than any of the reports here. */
const WINDOW = 1024 * 1024;

interface Form {
  parser: ReportParser;
  head: string;
  record: (index: number) => object;
  tail: string;
}

const opengrepForm: Form = {
  parser: opengrep,
  head: '{"version":"1.0","errors":[],"results":[',
  record: (index) => ({
    check_id: `rule-${index % 7}`,
    path: `src/ä-${index}.ts`,
    start: { line: 1 + (index % 900), col: 1 },
    extra: {
      message: `Text of rule ${index % 7}. ${'x'.repeat(900)}`,
      severity: 'ERROR',
      metadata: { cwe: ['CWE-79'] },
    },
  }),
  tail: '],"paths":{"scanned":[]}}',
};
const sarifForm: Form = {
  parser: sarif,
  head: '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Checker","rules":[{"id":"r-1"}]}},"results":[',
  record: (index) => ({
    ruleId: 'r-1',
    message: { text: `Fault ${index} ${'x'.repeat(900)}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: `src/${index}.ts` }, region: { startLine: 1 } } }],
  }),
  tail: ']}]}',
};
const trivyForm: Form = {
  parser: trivy,
  head: '{"SchemaVersion":2,"ArtifactName":"app:1","ArtifactType":"container_image","Results":[{"Target":"app (debian 12)","Class":"os-pkgs","Type":"debian","Vulnerabilities":[',
  record: (index) => ({
    VulnerabilityID: `CVE-2024-${1000 + (index % 50)}`,
    PkgName: `package-${index}`,
    Severity: 'HIGH',
    Description: `Words. ${'x'.repeat(900)}`,
  }),
  tail: ']}]}',
};
const grypeForm: Form = {
  parser: grype,
  head: '{"matches":[',
  record: (index) => ({
    vulnerability: { id: `CVE-2024-${1000 + (index % 50)}`, severity: 'High', description: 'x'.repeat(900) },
    artifact: { name: `package-${index}`, version: '1' },
  }),
  tail: '],"source":{"type":"image","target":{"userInput":"app:1"}},"descriptor":{"version":"0.9"}}',
};

const textOf = ({ head, record, tail }: Form, count: number, separator = ','): string =>
  head + Array.from({ length: count }, (_, index) => JSON.stringify(record(index))).join(separator) + tail;

/** How many bytes at most had been given before the n-th record came, less what that record stands behind. */
async function mostAhead({ parser }: Form, text: string, count: number): Promise<{ ahead: number; findings: number }> {
  const bytes = Buffer.from(text);
  let given = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (; given < bytes.length; given += PIECE) yield bytes.subarray(given, given + PIECE);
  }
  let findings = 0;
  let ahead = 0;
  for await (const record of parser.parse(pieces(), { signal: new AbortController().signal })) {
    if (record.kind !== 'finding') continue;
    ahead = Math.max(ahead, given - (bytes.length * findings) / count);
    findings += 1;
  }
  return { ahead, findings };
}

const resourceOf = ({ resource }: NormalizedFinding): string | undefined => resource;

describe('a large report', () => {
  const COUNT = 8_000;
  test.each([
    ['opengrep', opengrepForm],
    ['sarif', sarifForm],
    ['trivy', trivyForm],
  ])('%s: records come while the rest is still to be given', async (_, form) => {
    const { ahead, findings } = await mostAhead(form, textOf(form, COUNT), COUNT);
    expect(findings).toBe(COUNT);
    expect(ahead).toBeLessThan(WINDOW);
  });

  test('grype: matches wait for what was scanned, more of them than wait as findings', async () => {
    const many = 70_000;
    const description = 'x'.repeat(60);
    const record = (index: number) => ({
      vulnerability: { id: `CVE-2024-${1000 + (index % 50)}`, severity: 'High', description },
      artifact: { name: `package-${index}`, version: '1' },
    });
    const { findings, unreadable } = await parseText(grype, textOf({ ...grypeForm, record }, many));
    expect(unreadable).toEqual([]);
    expect(findings.map(({ component }) => component?.name)).toEqual(
      Array.from({ length: many }, (_, index) => `package-${index}`),
    );
    expect(new Set(findings.map(resourceOf))).toEqual(new Set(['app']));
    expect(new Set(findings.map((finding) => finding.description))).toEqual(new Set([description]));
  });
});

describe('whatever the order and the form', () => {
  const reordered = (form: Form, count: number): string => {
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, turn(inner)]),
      );
    };
    return JSON.stringify(turn(JSON.parse(textOf(form, count))), null, 2);
  };

  test.each([
    ['opengrep', opengrepForm],
    ['sarif', sarifForm],
    ['trivy', trivyForm],
    ['grype', grypeForm],
  ])('%s: what records refer to may stand behind them', async (_, form) => {
    const expected = await parseText(form.parser, textOf(form, 900));
    expect(expected.findings).toHaveLength(900);
    expect(await parseText(form.parser, reordered(form, 900))).toEqual(expected);
  });

  test('sarif: artifacts and taxonomies behind the results', async () => {
    const results = Array.from({ length: 50 }, (_, index) => ({
      ruleId: 'r-1',
      message: { text: 'Fault' },
      locations: [{ physicalLocation: { artifactLocation: { index } } }],
      taxa: [{ index: 0, toolComponent: { index: 0 } }],
    }));
    const run = {
      tool: { driver: { name: 'Checker' } },
      results,
      artifacts: results.map((_, index) => ({ location: { uri: `src/${index}.ts` } })),
      taxonomies: [{ name: 'CWE', taxa: [{ id: '79' }] }],
    };
    const { findings } = await parseText(sarif, JSON.stringify({ version: '2.1.0', runs: [run] }));
    expect(findings.map(({ locations, cwe }) => [locations?.[0]?.path, cwe])).toEqual(
      results.map((_, index) => [`src/${index}.ts`, [79]]),
    );
  });

  test('bytes that only look like the start of a record', async () => {
    const form: Form = {
      ...opengrepForm,
      record: (index) => ({
        ...opengrepForm.record(index),
        other: [{ check_id: 'inner' }, { check_id: 'inner' }, ',{"check_id":'],
      }),
    };
    const { findings } = await parseText(opengrep, textOf(form, 2_000));
    expect(findings.map(({ locations }) => locations?.[0]?.path)).toEqual(
      Array.from({ length: 2_000 }, (_, index) => `src/ä-${index}.ts`),
    );
  });

  test('pieces that end inside a character, a text, an escape', async () => {
    const text = textOf(opengrepForm, 3, ' ,\n ').replaceAll('Text', 'a\\"b\\\\');
    const expected: Parsed = await parseText(opengrep, text);
    expect(expected.findings[2]?.description).toMatch(/^a"b\\ of/);
    for (const size of [1, 2, 3, 7])
      expect(await parseBytes(opengrep, Buffer.from(text), undefined, size)).toEqual(expected);
  });
});

describe('errors far inside', () => {
  const COUNT = 3_000;
  const broken = (at: number, record: string): string => {
    const records = Array.from({ length: COUNT }, (_, index) => JSON.stringify(opengrepForm.record(index)));
    records[at] = record;
    return `${opengrepForm.head}\n${records.join(',\n')}${opengrepForm.tail}`;
  };

  test('a record that is no JSON is listed, the others are read', async () => {
    const { findings, unreadable } = await parseText(opengrep, broken(2_000, '{"check_id":"a" "path":1}'));
    expect(findings).toHaveLength(COUNT - 1);
    expect(unreadable).toEqual([{ kind: 'unreadable', where: 'results[2000]', why: 'is not valid JSON' }]);
  });

  test('an error of the frame names its line and column', async () => {
    await expect(parseText(opengrep, broken(2_000, '{"check_id":"a"}}'))).rejects.toMatchObject({
      code: 'report_malformed',
      message: 'The file is not valid JSON: unexpected “}” (line 2002, column 17). Nothing was imported.',
    });
    const whole = broken(0, '{"check_id":"a"}');
    await expect(parseText(opengrep, whole.slice(0, -30))).rejects.toMatchObject({
      message: expect.stringContaining('it is cut off'),
    });
  });

  test('nesting that is too deep', async () => {
    const deep = `{"check_id":"a","path":"b","x":${'['.repeat(120)}${']'.repeat(120)}}`;
    await expect(parseText(opengrep, broken(2_000, deep))).rejects.toMatchObject({ code: 'report_too_complex' });
    const allowed = `{"check_id":"a","path":"b","x":${'['.repeat(97)}${']'.repeat(97)}}`;
    expect((await parseText(opengrep, broken(2_000, allowed))).findings).toHaveLength(COUNT);
    const tooMuch = `{"check_id":"a","path":"b","x":${'['.repeat(98)}${']'.repeat(98)}}`;
    await expect(parseText(opengrep, broken(2_000, tooMuch))).rejects.toMatchObject({ code: 'report_too_complex' });
    await expect(parseText(opengrep, broken(0, tooMuch))).rejects.toMatchObject({ code: 'report_too_complex' });
  });
});
