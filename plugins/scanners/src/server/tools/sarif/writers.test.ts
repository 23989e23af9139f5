import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { bandit } from '../bandit/parser.ts';
import { opengrep } from '../opengrep/parser.ts';
import { trivy } from '../trivy/parser.ts';
import { sarif } from './parser.ts';
import { SARIF_WRITERS, writerOf } from './writers.ts';

const run = (name: string, results: object[] = []) => ({ tool: { driver: { name } }, results });
const log = (...runs: object[]) => Buffer.from(JSON.stringify({ version: '2.1.0', runs }));

describe('SARIF of a tool that has a parser here', () => {
  test("is that tool's, and still SARIF", () => {
    const report = log(run('Bandit'));
    expect(bandit.recognise(report)).toBeGreaterThan(0.9);
    expect(sarif.recognise(report)).toBeGreaterThan(0);
    expect(sarif.recognise(report)).toBeLessThan(0.5);
    expect(trivy.recognise(report)).toBeLessThan(0.5);
  });

  test.each(Object.entries(SARIF_WRITERS))('%s claims no name that another one claims', (_tool, writer) => {
    const others = Object.values(SARIF_WRITERS).filter(({ name }) => name !== writer.name);
    expect(writerOf(log(run(writer.name)))?.name).toBe(writer.name);
    expect(others.filter(({ driver }) => driver.test(writer.name))).toEqual([]);
  });

  test('the name of the driver is the tool of a result that is read as SARIF; ours are called as everywhere', async () => {
    const names = [
      'PSRule',
      'Bandit',
      'dependency-check',
      'Black Duck',
      ' ',
      '__proto__',
      'constructor',
      'x'.repeat(300),
    ];
    const report = log(...names.map((name) => run(name, [{ ruleId: 'r', message: { text: 'm' } }])));
    const { findings } = await parseText(sarif, report.toString());
    expect(findings.map((finding) => finding.tool)).toEqual([
      ...['PSRule', 'bandit', 'owasp-dependency-check', 'black_duck', undefined, '__proto__', 'constructor'],
      'x'.repeat(100),
    ]);
    const own = await parseText(bandit, log(run('Bandit', [{ ruleId: 'r', message: { text: 'm' } }])).toString());
    expect(own.findings.map((finding) => finding.tool)).toEqual([undefined]);
  });

  test('runs of several tools in one file are nobody’s but SARIF’s', () => {
    const report = log(run('Bandit'), run('Trivy'));
    expect(writerOf(report)).toBeUndefined();
    expect(sarif.recognise(report)).toBeGreaterThan(0.9);
  });

  test('a driver that is only quoted in a text is none', () => {
    const quoted = { message: { text: '"driver": {"name": "Trivy"}' }, properties: { driver: 'Trivy' } };
    expect(writerOf(log(run('Checker', [quoted])))).toBeUndefined();
  });

  test('Semgrep writes the tool behind its results', () => {
    const result = { ruleId: 'a', fingerprints: { 'matchBasedId/v1': 'x' }, message: { text: 'y'.repeat(70_000) } };
    const text = JSON.stringify({ runs: [{ results: [result], tool: { driver: { name: 'Semgrep OSS' } } }] });
    expect(opengrep.recognise(Buffer.from(`{"version":"2.1.0",${text.slice(1)}`).subarray(0, 65_536))).toBeGreaterThan(
      0.9,
    );
  });

  test('is refused under the name of another tool', async () => {
    await expect(parseText(bandit, log(run('Bandit'), run('Trivy')).toString())).rejects.toMatchObject({
      code: 'report_wrong_tool',
      message: expect.stringContaining('Trivy'),
    });
  });
});
