import { describe, expect, test } from 'vitest';
import { parseBytes, parseText } from '../testing/samples.ts';
import { cloudsploit } from '../tools/cloudsploit/parser.ts';
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

  test('keys of one record, wherever they are, of which the rest is read', async () => {
    const match = '{"vulnerability":{"id":"CVE-2024-1"},"artifact":{"name":"a"}}';
    const keys = Array.from({ length: 1_000_000 }, (_, n) => `"k${n}":0`).join(',');
    const inside = `{"vulnerability":{"id":"CVE-2024-2"},"artifact":{"name":"a","metadata":{${keys}}}}`;
    for (const large of [`{${match.slice(1, -1)},${keys}}`, inside]) {
      const parsed = await parseText(grype, `{"matches":[${match},${large},${match}]}`);
      expect(parsed.findings).toHaveLength(2);
      expect(parsed.unreadable).toMatchObject([
        { where: 'matches[1]', why: 'has more than 250,000 keys, which no scanner writes' },
      ]);
      await expect(parseText(grype, large)).rejects.toThrow('250,000 keys');
    }
  });

  test('columns of a table', async () => {
    const head = `Description,StartLine,EndLine,File,RuleID,${Array.from({ length: 20_000 }, (_, n) => `c${n}`).join(',')}`;
    await expect(
      parseText(cloudsploit, `category,title,region,statusWord,${head}\na,b,c,FAIL\n`),
    ).rejects.toMatchObject(tooComplex);
  });

  test('numbers beyond any are not said', async () => {
    const record = { vulnerability: { id: 'CVE-2024-1', cvss: [{ version: '3.1', metrics: { baseScore: 9 } }] } };
    const text = JSON.stringify({ matches: [{ ...record, artifact: { name: 'a' } }] });
    const scores = async (number: string) =>
      (await parseText(grype, text.replace(':9}', `:${number}}`))).findings.map(({ cvssScore }) => cvssScore);
    expect(await scores('9')).toEqual([9]);
    for (const number of ['1e400', '-1e400', '1e309', '"1e400"', '"Infinity"'])
      expect(await scores(number)).toEqual([undefined]);
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
