import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { flawfinder } from './parser.ts';

const read = async (name: string) => parseBytes(flawfinder, sampleBytes(`flawfinder/${name}`));

test('a hit of the CSV', async () => {
  expect((await read('recorded_v2.0.19.csv')).findings[0]).toEqual({
    kind: 'finding',
    ruleId: 'FF1001',
    title: 'strcpy: Does not check for buffer overflows when copying to destination [MS-banned] (CWE-120).',
    type: 'SAST',
    severity: 'high',
    nativeSeverity: '4',
    description: 'Does not check for buffer overflows when copying to destination [MS-banned] (CWE-120).',
    mitigation: 'Consider using snprintf, strcpy_s, or strlcpy (warning: strncpy easily misused).',
    cwe: [120],
    references: ['https://cwe.mitre.org/data/definitions/120.html'],
    locations: [{ path: 'src/pump.c', startLine: 8, startColumn: 3, snippet: 'strcpy(buf, argv[1]);' }],
    fingerprint: 'ec15926452585fb0f64c4b89b2303693a78314070b7ae452808885cc6cfbe3dd',
    policy: { name: 'buffer/strcpy' },
  });
});

test('CSV and SARIF name the same rules, files, lines and fingerprints', async () => {
  const facts = async (name: string) =>
    (await read(name)).findings
      .map(({ ruleId, locations, fingerprint }) => [
        ruleId,
        locations?.[0]?.path,
        locations?.[0]?.startLine,
        fingerprint,
      ])
      .sort();
  expect(await facts('recorded_v2.0.19.sarif')).toEqual(await facts('recorded_v2.0.19.csv'));
});

test('a table without hits, and one of another tool', async () => {
  const [columns = ''] = sampleBytes('flawfinder/recorded_v2.0.19.csv').toString().split('\n');
  expect((await parseText(flawfinder, `${columns}\n`)).findings).toEqual([]);
  await expect(parseText(flawfinder, 'Problem,Package,File\n1,a,b\n')).rejects.toThrow('does not name the columns');
});

test('older tables have no rule id', async () => {
  const csv =
    'File,Line,Column,Level,Category,Name,Warning,Suggestion,Note,CWEs,Context,Fingerprint\na.c,3,1,9,x,y,w,s,,CWE-1,c,f\na.c,3,1,5,shell,system,Bad.,,,CWE-78,system(x);,f\n';
  const { findings, unreadable } = await parseText(flawfinder, csv);
  expect(findings.map(({ ruleId, severity }) => [ruleId, severity])).toEqual([['shell/system', 'critical']]);
  expect(unreadable).toHaveLength(1);
});
