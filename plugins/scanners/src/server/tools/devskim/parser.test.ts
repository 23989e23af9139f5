import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { devskim } from './parser.ts';

const issue = {
  filename: 'src\\legacy.c',
  start_line: 11,
  start_column: 3,
  end_line: 11,
  end_column: 7,
  match: 'gets(',
  severity: 2,
  rule_id: 'DS181021',
  rule_name: 'Banned C function detected (gets)',
  description: 'gets is dangerous.',
};

describe('devskim', () => {
  test('an issue of the JSON output', async () => {
    const text = JSON.stringify([issue]);
    expect((await parseText(devskim, text)).findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'DS181021',
        title: 'Banned C function detected (gets)',
        type: 'SAST',
        severity: 'high',
        nativeSeverity: '2',
        description: 'Banned C function detected (gets)\n\ngets is dangerous.',
        references: ['https://github.com/microsoft/DevSkim/blob/main/guidance/DS181021.md'],
        locations: [
          { path: 'src/legacy.c', startLine: 11, endLine: 11, startColumn: 3, endColumn: 7, snippet: 'gets(' },
        ],
      },
    ]);
    expect(devskim.recognise(Buffer.from(text))).toBeGreaterThan(0.8);
  });

  test.each([
    ['Critical', 'critical'],
    ['Moderate', 'medium'],
    ['BestPractice', 'low'],
    [16, 'informational'],
  ])('severity %s is %s', async (word, severity) => {
    const { findings } = await parseText(devskim, JSON.stringify([{ ...issue, severity: word }]));
    expect(findings[0]).toMatchObject({ severity, nativeSeverity: String(word) });
  });

  test("SARIF is its own, and the tool's finer severities are used", async () => {
    const bytes = sampleBytes('devskim/devskim_many_vuln.sarif');
    const { findings } = await parseBytes(devskim, bytes);
    expect(devskim.recognise(bytes)).toBeGreaterThan(0.9);
    expect(new Set(findings.map((finding) => finding.type))).toEqual(new Set(['SAST']));
    expect(findings.map((finding) => `${finding.nativeSeverity} ${finding.severity}`)).toContain('error critical');
  });
});
