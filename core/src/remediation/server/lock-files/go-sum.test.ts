import { expect, it } from 'vitest';
import { finding } from '../../../testing/planned-fix.ts';
import type { ChangeFix, FixRequest, LockedProject } from '../../model/fix.ts';
import { planFix } from '../fixes/plan-fix.ts';

type Renew = NonNullable<FixRequest['renewLock']>;

const hash = (letter: string): string => `h1:${letter.repeat(43)}=`;
const MOD =
  'module acme.example/app\n\ngo 1.21\n\nrequire (\n\tgolang.org/x/net v0.1.0\n\tgolang.org/x/text v0.3.5\n)\n';
const SUM = `golang.org/x/net v0.1.0 ${hash('n')}\ngolang.org/x/text v0.3.5 ${hash('o')}\n`;
const ADDED = `golang.org/x/text v0.3.8 ${hash('p')}\ngolang.org/x/text v0.3.8/go.mod ${hash('q')}\n`;

const planned = async (renewLock: Renew, mod = MOD): Promise<ChangeFix> => {
  const own = finding('1', {
    name: 'golang.org/x/text',
    version: 'v0.3.5',
    fixedVersion: '0.3.8',
    ecosystem: 'golang',
  });
  const files = [
    { path: 'go.mod', content: mod },
    { path: 'go.sum', content: SUM },
  ];
  const answer = await planFix({ finding: own, related: [], files, renewLock });
  if (answer.kind !== 'change') throw new Error(JSON.stringify(answer));
  return answer;
};
const after = (fix: ChangeFix, path: string): string | undefined => fix.changes.find((one) => one.path === path)?.after;

it('brings go.sum along, and what Go added to go.mod', async () => {
  const seen: LockedProject[] = [];
  const raised = MOD.replace('v0.3.5', 'v0.3.8').replace('v0.1.0', 'v0.2.0');
  const fix = await planned(async (project) => {
    seen.push(project);
    return { content: SUM + ADDED, manifests: new Map([['go.mod', raised]]) };
  });
  expect(seen[0]).toMatchObject({ lock: 'go.sum', change: { name: 'golang.org/x/text', version: 'v0.3.8' } });
  expect(seen[0]?.files.get('go.mod')).toBe(MOD.replace('v0.3.5', 'v0.3.8'));
  expect([after(fix, 'go.mod'), after(fix, 'go.sum')]).toEqual([raised, SUM + ADDED]);
  expect(fix).toMatchObject({ staleLocks: [], remaining: [] });
});

it.each<[string, Renew, RegExp]>([
  ['Go is not there', async () => ({ refused: 'go is not installed beside Breakwater.' }), /not installed/],
  [
    'another module has another hash',
    async () => ({ content: SUM.replace('nn', 'xx') + ADDED }),
    /x\/net v0\.1\.0 is something else/,
  ],
  ['the new version has none', async () => ({ content: SUM }), /wrote no hash of golang\.org\/x\/text v0\.3\.8/],
  ['it is no go.sum', async () => ({ content: '<html>' }), /is no go\.sum/],
  [
    'a requirement is gone',
    async () => ({
      content: SUM + ADDED,
      manifests: new Map([['go.mod', 'module a\n\nrequire golang.org/x/text v0.3.8\n']]),
    }),
    /take out or lower golang\.org\/x\/net/,
  ],
])('leaves go.sum as it was and says so where %s', async (_, renewLock, why) => {
  const fix = await planned(renewLock);
  expect(fix.changes.map(({ path }) => path)).toEqual(['go.mod']);
  expect(fix.remaining.join()).toMatch(why);
  expect(fix.staleLocks).toEqual([{ path: 'go.sum', tool: 'go', command: 'go mod tidy' }]);
});

it('gives Go no module that is a folder', async () => {
  const fix = await planned(async () => {
    throw new Error('must not be asked');
  }, `${MOD}\nreplace golang.org/x/net => ../../etc\n`);
  expect(fix.remaining.join()).toContain('replaces a module by a folder');
});
