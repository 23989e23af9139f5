import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { govulncheck } from './parser.ts';

const config = { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck', scanner_version: 'v1.1.3' } };
const osv = {
  osv: {
    id: 'GO-2021-0113',
    aliases: ['CVE-2021-38561'],
    summary: 'Out-of-bounds read',
    database_specific: { url: 'https://pkg.go.dev/vuln/GO-2021-0113' },
  },
};
const module = { module: 'golang.org/x/text', version: 'v0.3.5' };
const finding = (...trace: object[]) => ({ finding: { osv: 'GO-2021-0113', fixed_version: 'v0.3.7', trace } });
const called = finding(
  { ...module, package: 'golang.org/x/text/language', function: 'Parse' },
  { module: 'shop', function: 'main', position: { filename: '/builds/shop/cmd/main.go', line: 12, column: 43 } },
);
const stream = (...messages: object[]) => messages.map((message) => JSON.stringify(message, null, 2)).join('\n');

describe('govulncheck', () => {
  test('a called function, from the caller to it', async () => {
    const { findings, info } = await parseText(govulncheck, stream(config, osv, called));
    expect(info).toEqual([{ kind: 'report', toolName: 'govulncheck', toolVersion: 'v1.1.3' }]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      ruleId: 'GO-2021-0113',
      cve: 'CVE-2021-38561',
      title: 'Out-of-bounds read',
      description: 'Out-of-bounds read\n\nVulnerable symbol: golang.org/x/text/language.Parse',
      component: {
        ...{ name: 'golang.org/x/text', version: 'v0.3.5', fixedVersion: 'v0.3.7', ecosystem: 'golang' },
        purl: 'pkg:golang/golang.org/x/text@v0.3.5',
      },
      locations: [{ path: 'cmd/main.go', startLine: 12, startColumn: 43, message: 'main' }],
      tags: ['called'],
      language: 'go',
    });
  });

  test('of module, package and function the most precise is the result', async () => {
    const messages = [finding(module), finding({ ...module, package: 'golang.org/x/text/language' })];
    const tags = async (...said: object[]) =>
      (await parseText(govulncheck, stream(config, osv, ...said))).findings.map((result) => result.tags);
    expect(await tags(...messages, called)).toEqual([['called']]);
    expect(await tags(...messages)).toEqual([['imported']]);
    expect(await tags(finding(module), finding({ module: 'stdlib', version: 'v1.21.4' }))).toEqual([
      ['required'],
      ['required'],
    ]);
  });

  test('a stream whose beginning is missing closes nothing', async () => {
    expect((await parseText(govulncheck, stream(osv, called))).failures).toHaveLength(1);
    expect((await parseText(govulncheck, stream(config, { progress: { message: 'x' } }))).failures).toEqual([]);
  });

  test('the report of versions before 1.0 names module, version and fix', async () => {
    const { findings } = await parseBytes(govulncheck, sampleBytes('govulncheck/many_vulns.json'));
    const known = findings.filter(({ component }) => component?.version !== undefined);
    expect(known.length).toBeGreaterThan(0);
    expect(findings[0]?.component).toMatchObject({ name: 'stdlib', fixedVersion: '1.18.9, 1.19.4' });
  });
});
