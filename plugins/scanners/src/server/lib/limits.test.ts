import { describe, expect, test } from 'vitest';
import { parseBytes, parseText } from '../testing/samples.ts';
import { cyclonedx } from '../tools/cyclonedx/parser.ts';
import { gitleaks } from '../tools/gitleaks/parser.ts';
import { grype } from '../tools/grype/parser.ts';
import { sarif } from '../tools/sarif/parser.ts';

/** Reports that would cost far more memory or time than their size are cut off. */

const tooComplex = { code: 'report_too_complex' };

function repeated(start: string, part: string, count: number, end: string): Buffer {
  return Buffer.from(start + part.repeat(count) + end);
}

describe('limits', () => {
  test('parts of a report', async () => {
    await expect(
      parseBytes(sarif, repeated('{"version":"2.1.0","runs":[{}', ',{}', 200_001, ']}')),
    ).rejects.toMatchObject(tooComplex);
  });

  test('records of a report', async () => {
    await expect(parseBytes(grype, repeated('{"matches":[0', ',0', 5_000_001, ']}'))).rejects.toMatchObject(tooComplex);
  });

  test('one value of the frame', async () => {
    const text = repeated('{"version":"2.1.0","runs":[{"tool":[0', ',0', 17_000_000, ']}]}');
    await expect(parseBytes(sarif, text)).rejects.toMatchObject(tooComplex);
  });

  test('one record is listed as unreadable, the rest is read', async () => {
    const match = '{"vulnerability":{"id":"CVE-2024-1"},"artifact":{"name":"a"}}';
    const text = repeated(`{"matches":[${match},{"x":"`, 'x', 33 * 1024 * 1024, `"},${match}]}`);
    const parsed = await parseBytes(grype, text);
    expect(parsed.findings).toHaveLength(2);
    expect(parsed.unreadable).toMatchObject([{ where: 'matches[1]', why: 'is larger than 32 MB' }]);
  });

  test('broken lines', async () => {
    const line = '{"RuleID":"a","File":"b"}\n';
    const few = await parseBytes(gitleaks, repeated(line, '{"\n', 2_000, line));
    expect(few.findings).toHaveLength(2);
    expect(few.unreadable).toHaveLength(1_000);
    await expect(parseBytes(gitleaks, repeated(line, '{"\n', 10_001, line))).rejects.toMatchObject({
      code: 'report_malformed',
    });
  });

  test('elements of one XML record and depth of nesting', async () => {
    const start = '<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components><component>';
    await expect(parseBytes(cyclonedx, repeated(start, '<a/>', 500_001, ''))).rejects.toMatchObject(tooComplex);
    await expect(parseBytes(cyclonedx, repeated(start, '<a>', 200, ''))).rejects.toMatchObject(tooComplex);
  });

  test('texts are cut to what can be kept', async () => {
    const record = {
      RuleID: 'r'.repeat(9_000),
      File: 'f'.repeat(9_000),
      Match: 'm'.repeat(100_000),
      Secret: 's',
      Message: 'x'.repeat(90_000),
    };
    const { findings } = await parseText(gitleaks, JSON.stringify([record]));
    expect(findings[0]?.ruleId).toHaveLength(500);
    expect(findings[0]?.locations?.[0]?.path).toHaveLength(4_096);
    expect(findings[0]?.locations?.[0]?.snippet).toBeUndefined();
  });
});
