import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { dustilock } from './parser.ts';

const START = ['DustiLock started', 'scanning directory "/app" (recursive=true) ...'];
const RESULT =
  'error - python package "acme_internal.lib" is available for public registration. /app/my dir/requirements.txt';
const read = async (...lines: string[]) => (await parseText(dustilock, lines.join('\r\n'))).findings;

describe('dustilock', () => {
  test('a name that anybody could register', async () => {
    const end = 'one or more packages are available for public registration';
    expect(await read(...START, 'scanning "/app/package.json"', RESULT, end)).toEqual([
      {
        kind: 'finding',
        ruleId: 'dependency-confusion',
        title: 'python package "acme_internal.lib" is available for public registration',
        type: 'Supply chain',
        severity: 'high',
        description: expect.stringContaining('public registry'),
        mitigation: expect.stringContaining('Register the name'),
        cwe: [427],
        component: { name: 'acme_internal.lib', ecosystem: 'pypi' },
        locations: [{ path: '/app/my dir/requirements.txt' }],
      },
    ]);
  });

  test('the error output alone', async () => {
    expect(await read(RESULT)).toHaveLength(1);
    expect(dustilock.recognise(Buffer.from(RESULT))).toBeGreaterThan(0.9);
  });

  test('a scan that finished without results', async () => {
    expect(await read(...START, 'finished scanning directory "/app"')).toEqual([]);
  });

  test('without the error output it is not known what was found', async () => {
    await expect(read(...START)).rejects.toMatchObject({
      code: 'report_malformed',
      message: expect.stringContaining('2>&1'),
    });
  });

  test('other texts are refused', async () => {
    await expect(read('npm WARN deprecated')).rejects.toMatchObject({ code: 'report_wrong_tool' });
    await expect(read('{"results":[]}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });
});
