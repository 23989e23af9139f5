import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { bandit } from './parser.ts';

const read = async (file: string) => (await parseBytes(bandit, sampleBytes(`bandit/${file}`))).findings;

describe('formats of bandit', () => {
  test('YAML says what the JSON says, code and all', async () => {
    expect(await read('made_twenty.yaml')).toEqual(await read('made_twenty.json'));
  });

  test('XML says the same without the code', async () => {
    const facts = (findings: Awaited<ReturnType<typeof read>>) =>
      findings.map((finding) => {
        const { path, startLine } = finding.locations?.[0] ?? {};
        return {
          ...finding,
          locations: [{ path, startLine }],
          cwe: undefined,
          references: finding.references?.slice(0, 1),
        };
      });
    const xml = await read('made_twenty.xml');
    expect(facts(xml)).toEqual(facts(await read('made_twenty.json')));
    expect(xml[0]?.cwe).toEqual([78]);
  });

  test('a backslash and an n inside of code stay', async () => {
    const yaml =
      "errors: []\ngenerated_at: '2024-01-01T00:00:00Z'\nmetrics: {}\nresults:\n- code: '1 a\\n2 print(''x\\n3'')\\n'\n  filename: a.py\n  issue_text: t\n  line_number: 2\n  line_range:\n  - 2\n  test_name: n\n";
    expect((await parseText(bandit, yaml)).findings[0]?.locations?.[0]?.snippet).toContain("print('x");
  });

  test('YAML that is cut off is refused', async () => {
    const whole = sampleBytes('bandit/made_twenty.yaml');
    await expect(parseBytes(bandit, whole.subarray(0, whole.length - 30))).rejects.toThrow('cut off');
    const empty = 'errors: []\ngenerated_at: x\nmetrics:\n  a: 1\n';
    await expect(parseText(bandit, empty)).rejects.toThrow('cut off');
    expect((await parseText(bandit, `${empty}results: []\n`)).findings).toEqual([]);
  });

  test('other formats are refused with the command that writes JSON', async () => {
    await expect(parseText(bandit, 'Run started:2024\n\nTest results:\n>> Issue: [B101]')).rejects.toThrow(
      'bandit -f json',
    );
    await expect(parseText(bandit, '<html><body>Bandit</body></html>')).rejects.toThrow('bandit -f json');
  });
});
