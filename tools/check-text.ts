import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Fault } from './checks.ts';

const run = promisify(execFile);

/** Recorded reports and data say what they say. */
const EXEMPT = /(^|\/)__fixtures__\/|^core\/data\/|\.(png|jpg|ico|woff2?|gz|zip|snap)$/;

// Written so that this file does not find itself.
const RULES: readonly { what: string; pattern: RegExp }[] = [
  {
    what: 'names a path of one machine',
    pattern: /(?<![\w./])\/(?:work\/(?:main|shared)|roo[t]|home\/[a-z][\w-]*|Users\/[A-Za-z][\w-]*)(?:\/|\b)/,
  },
  {
    what: 'names a package registry',
    pattern: /registr[y]\.(?:npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|verdacci[o]|artifactor[y]|pypi\.or[g]/i,
  },
  { what: 'resolves a package from an address', pattern: /"resolved": "https?:/ },
  { what: 'holds a task without an owner', pattern: /\b(?:TOD[O]|FIXM[E]|XX[X])\b(?!\()/ },
  { what: 'holds a merge conflict', pattern: /^(?:<{7}|>{7}) / },
];

/** Faults of one file's text, with line numbers. */
export const textFaults = (file: string, text: string): Fault[] =>
  text.split('\n').flatMap((line, index) =>
    RULES.filter((rule) => rule.pattern.test(line)).map((rule) => ({
      where: `${file}:${index + 1}`,
      what: rule.what,
    })),
  );

/** Reads every file that git keeps. */
export const checkText = async (root: string): Promise<Fault[]> => {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = stdout.split('\0').filter((file) => file !== '' && !EXEMPT.test(file));
  if (files.length === 0) return [{ where: root, what: 'git lists no file' }];
  const faults = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(root, file), 'utf8').catch(() => '');
      return textFaults(file, text);
    }),
  );
  return faults.flat();
};
