import { expect, it } from 'vitest';
import { finding } from '../../../testing/planned-fix.ts';
import type { ChangeFix, FixRequest, Wheel } from '../../model/fix.ts';
import { planFix } from '../fixes/plan-fix.ts';
import { readWheel } from './pip.ts';

const NEW = 'c'.repeat(64);
const WHEEL: Wheel = { sha256: NEW, version: '3.1.6', isForAll: true, requires: ['MarkupSafe>=2.0'] };
const hash = (letter: string): string => `--hash=sha256:${letter.repeat(64)}`;
const FILE = `jinja2==3.1.5 \\\n    ${hash('a')}\n    # via app\nmarkupsafe==3.0.2 \\\n    ${hash('b')}\n`;

const planned = async (wheelOf: FixRequest['wheelOf'], content = FILE): Promise<ChangeFix> => {
  const own = finding('1', { name: 'Jinja2', version: '3.1.5', fixedVersion: '3.1.6', ecosystem: 'pypi' });
  const request = { finding: own, related: [], files: [{ path: 'requirements.txt', content }] };
  const answer = await planFix({ ...request, ...(wheelOf === undefined ? {} : { wheelOf }) });
  if (answer.kind !== 'change') throw new Error(JSON.stringify(answer));
  return answer;
};

it('writes the hash of the one wheel of the new version', async () => {
  const fix = await planned(async () => WHEEL);
  expect(fix.changes[0]?.after).toBe(FILE.replace('3.1.5', '3.1.6').replace('a'.repeat(64), NEW));
  expect(fix.remaining).toEqual([]);
});

it.each<[string, FixRequest['wheelOf'], RegExp]>([
  ['pip is not there', async () => ({ refused: 'python3 is not installed beside Breakwater.' }), /not installed/],
  ['there is a wheel for each system', async () => ({ ...WHEEL, isForAll: false }), /a file for each system/],
  [
    'it needs another package',
    async () => ({ ...WHEEL, requires: ['babel>=2'] }),
    /needs babel>=2, which requirements\.txt does not pin/,
  ],
  ['it needs another version', async () => ({ ...WHEEL, requires: ['MarkupSafe>=4'] }), /pins 3\.0\.2/],
])('leaves the hashes out and says why where %s', async (_, wheelOf, why) => {
  const fix = await planned(wheelOf);
  expect(fix.changes[0]?.after).not.toContain('--hash=sha256:a');
  expect(fix.remaining.join(' ')).toMatch(why);
  expect(fix.remaining.join(' ')).toContain('Compile requirements.txt again');
});

it('reads reports of pip alone', () => {
  const of = (file: string) => ({
    install: [
      {
        download_info: { url: `https://files.example/${file}`, archive_info: { hashes: { sha256: NEW } } },
        metadata: { version: '3.1.6', requires_dist: ['MarkupSafe>=2.0', 'Babel>=2.7 ; extra == "i18n"'] },
      },
    ],
  });
  expect(readWheel(JSON.stringify(of('jinja2-3.1.6-py3-none-any.whl')))).toEqual(WHEEL);
  expect(readWheel(JSON.stringify(of('jinja2-3.1.6-cp313-cp313-manylinux_2_17_x86_64.whl')))?.isForAll).toBe(false);
  expect([readWheel(''), readWheel('{"install":[]}')]).toEqual([undefined, undefined]);
});
