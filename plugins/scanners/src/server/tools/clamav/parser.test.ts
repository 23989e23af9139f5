import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { clamav } from './parser.ts';

const read = async (...lines: string[]) => (await parseText(clamav, lines.join('\n'))).findings;
const SUMMARY = ['', '----------- SCAN SUMMARY -----------', 'Engine version: 1.4.1', 'Infected files: 1'];

describe('clamav', () => {
  test('an infected file', async () => {
    const { findings, info } = await parseText(
      clamav,
      ['/srv/a.txt: OK', '/srv/b c: d.bin: Win.Test.EICAR_HDB-1 FOUND', ...SUMMARY].join('\r\n'),
    );
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'Win.Test.EICAR_HDB-1',
        title: 'Win.Test.EICAR_HDB-1',
        type: 'Malware',
        severity: 'critical',
        description: 'ClamAV recognises this file as Win.Test.EICAR_HDB-1.',
        mitigation: 'Remove the file, find out how it came there, and check what it could reach.',
        locations: [{ path: '/srv/b c: d.bin' }],
      },
    ]);
    expect(info).toEqual([{ kind: 'report', toolName: 'ClamAV', toolVersion: '1.4.1' }]);
  });

  test('a file may match several signatures', async () => {
    const findings = await read('/a: Eicar-Signature FOUND', '/a: Win.Test.EICAR_HDB-1 FOUND');
    expect(findings.map((finding) => finding.ruleId)).toEqual(['Eicar-Signature', 'Win.Test.EICAR_HDB-1']);
  });

  test('logs, Windows paths, and signatures with digest and size', async () => {
    const digest = '44d88612fea8a8f36de82e1278abb02f';
    const findings = await read(
      `Tue Mar  3 10:00:00 2026 -> D:\\Data\\x.exe: Eicar-Signature(${digest}:68) FOUND`,
      '/b: PUA.Win.Packer.Upx FOUND',
    );
    expect(findings).toMatchObject([
      { ruleId: 'Eicar-Signature', locations: [{ path: 'D:/Data/x.exe' }], tags: [digest] },
      { ruleId: 'PUA.Win.Packer.Upx', severity: 'medium' },
    ]);
  });

  test('nothing found: clean files, a summary alone, or no bytes with --infected --no-summary', async () => {
    for (const lines of [['/a: OK', '/b: Empty file'], SUMMARY, ['']]) expect(await read(...lines)).toEqual([]);
    expect(clamav.emptyMeansNone).toBe(true);
  });

  test('errors of the scan are no findings, and other texts are refused', async () => {
    expect(await read("/a: Can't open file or directory ERROR", ...SUMMARY)).toEqual([]);
    await expect(read('Hello', 'world')).rejects.toMatchObject({ code: 'report_wrong_tool' });
    await expect(read('{"results":[]}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
    await expect(read('<html>', '<p>FOUND</p>')).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });
});
