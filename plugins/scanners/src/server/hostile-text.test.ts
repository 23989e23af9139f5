import { describe, expect, test } from 'vitest';
import { parsers } from './index.ts';
import { parseText, sampleBytes, samples } from './testing/samples.ts';

/** Texts of 64 KB on which patterns grew with the square of the length, in the place of the texts of a record. */
const LENGTH = 64 * 1024;
const PUMPS = [' ', '\n', ":'", '"', ' #', '<', '(', '-', 'a.', '/', '0', '@sha256:', '<AltParagraph>', ',', '\u2028'];
const MAX_BYTES = 6_000;

const isLong = (value: unknown): value is string => typeof value === 'string' && /[\s./:-]/.test(value.slice(0, 200));

/** The report with the first texts of many words replaced; what is longer is cut off. */
function withTexts(report: unknown, text: string): unknown {
  let left = 24;
  const visit = (value: unknown): unknown => {
    if (isLong(value) && left > 0) {
      left -= 1;
      return text;
    }
    if (Array.isArray(value)) return value.slice(0, 3).map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visit(part)]));
  };
  return visit(report);
}

const small = samples().flatMap(({ file, tool, expect: kind }) => {
  const bytes = kind === 'error' || !/\.(?:json|sarif)$/.test(file) ? Buffer.alloc(0) : sampleBytes(file);
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return [];
  try {
    const report: unknown = JSON.parse(bytes.toString('utf8'));
    return [{ tool, report }];
  } catch {
    return [];
  }
});

describe.each(parsers.map((parser) => [parser.tool, parser] as const))('%s', (tool, parser) => {
  const report = small.find((sample) => sample.tool === tool)?.report;

  test('recognition of 64 KB of anything comes to an end', () => {
    for (const pump of PUMPS) {
      const head = Buffer.from(`${pump.repeat(LENGTH / pump.length)}x`);
      for (const text of [head, Buffer.concat([Buffer.from('<'), head]), Buffer.concat([Buffer.from('{"a":"'), head])])
        expect(parser.recognise(text)).toBeLessThan(0.8);
    }
    expect(parser.recognise(Buffer.from(`${'<!---->'.repeat(60)}x`))).toBeLessThan(0.8);
  });

  if (report !== undefined)
    test('long texts in its records are read in a time that grows with them', async () => {
      for (const pump of PUMPS) {
        const text = pump.repeat(LENGTH / pump.length);
        const read = parseText(parser, JSON.stringify(withTexts(report, `x: ${text}\u0000`)));
        await read.catch((error: unknown) => expect(error).toHaveProperty('code'));
      }
    });
});

test('a quoted password of 64 KB, Bandit', async () => {
  const issue = {
    ...{ filename: 'a.py', test_id: 'B105', test_name: 'hardcoded_password_string', line_number: 1 },
    ...{ issue_severity: 'LOW', issue_confidence: 'LOW', issue_text: `Possible: ${":'".repeat(LENGTH / 2)}x` },
  };
  const bandit = parsers.find((parser) => parser.tool === 'bandit');
  if (bandit === undefined) throw new Error('no parser');
  const { findings } = await parseText(
    bandit,
    JSON.stringify({ results: [issue], generated_at: '2024-05-01T10:00:00Z' }),
  );
  expect(findings).toHaveLength(1);
});

test('a rule name of 60 KB, Terrascan YAML', async () => {
  const terrascan = parsers.find((parser) => parser.tool === 'terrascan');
  if (terrascan === undefined) throw new Error('no parser');
  const name = `a${' '.repeat(60_000)}\u2028b`;
  const yaml = `results:\n  violations:\n  - rule_name: ${name}\n    rule_id: AC_1\n    severity: LOW\n  scan_summary:\n    violated_policies: 1\n`;
  expect((await parseText(terrascan, yaml)).findings).toHaveLength(1);
});
