import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { hadolint } from '../hadolint/parser.ts';
import { shellcheck } from './parser.ts';

const read = async (name: string) => parseBytes(shellcheck, sampleBytes(`shellcheck/${name}`));

describe('ShellCheck', () => {
  test('a comment', async () => {
    expect((await read('recorded_v0.9.json1.json')).findings[0]).toEqual({
      kind: 'finding',
      ruleId: 'SC2086',
      title: 'Double quote to prevent globbing and word splitting.',
      type: 'SAST',
      severity: 'low',
      nativeSeverity: 'info',
      description: 'Double quote to prevent globbing and word splitting.',
      references: ['https://www.shellcheck.net/wiki/SC2086'],
      locations: [{ path: 'bin/deploy.sh', startLine: 3, endLine: 3, startColumn: 8, endColumn: 12 }],
      language: 'bash',
    });
  });

  test('checkstyle names the same places and rules', async () => {
    const facts = async (name: string) =>
      (await read(name)).findings.map(({ ruleId, locations }) => [
        ruleId,
        locations?.[0]?.path,
        locations?.[0]?.startLine,
      ]);
    expect(await facts('recorded_v0.9.checkstyle.xml')).toEqual(await facts('recorded_v0.9.json1.json'));
  });

  test('a script that cannot be parsed makes the scan incomplete, once', async () => {
    const { findings, failures } = await read('recorded_v0.9_three_scripts.json');
    expect(findings).toHaveLength(12);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/^bin\/broken\.sh could not be parsed: /);
  });

  test('nothing found', async () => {
    expect(await parseText(shellcheck, '{"comments":[]}')).toMatchObject({ findings: [], failures: [] });
    expect(await parseText(shellcheck, '[]')).toMatchObject({ findings: [], failures: [] });
  });

  test('is told apart from Hadolint, whose codes are texts', () => {
    const bytes = sampleBytes('shellcheck/recorded_v0.9_three_scripts.json');
    expect([shellcheck.recognise(bytes) > 0.9, hadolint.recognise(bytes)]).toEqual([true, 0]);
  });
});
