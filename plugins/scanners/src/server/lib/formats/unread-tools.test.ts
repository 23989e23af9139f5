import { describe, expect, test } from 'vitest';
import { parsers } from '../../index.ts';
import { parseText } from '../../testing/samples.ts';
import { refuseUnread } from './unread-tools.ts';

/** Made after samples of DefectDojo (BSD-3-Clause) and the tools' documentation. */
const REPORTS = {
  choctawhog: [
    {
      commit: 'removing action\n',
      commitHash: 'a7bce96377c4ff2ac16cd51fb0da7fe7ea678829',
      date: '2020-04-15 12:47:20',
      diff: 'COMMIT_EMAIL: "someone@example.com"\n',
      stringsFound: ['someone@example.com'],
      path: '.github/workflows/main.yml',
      reason: 'Email address',
      new_line_num: 0,
    },
  ],
  essexhog: [{ stringsFound: ['x'], page_id: '12345', reason: 'SSH private key', url: 'https://wiki.example/1' }],
  xeol: {
    matches: [{ Cycle: { ProductName: 'spring-boot', Eol: '2019-03-01' }, artifact: { name: 'spring-boot' } }],
    descriptor: { name: 'xeol' },
  },
  'xeol that found nothing': { matches: [], source: { type: 'image' }, descriptor: { name: 'xeol' } },
  shellcheck: [
    { file: 'a.sh', line: 1, endLine: 1, column: 1, endColumn: 2, level: 'error', code: 2148, message: 'x', fix: null },
  ],
  'shellcheck json1': {
    comments: [
      {
        file: 'a.sh',
        line: 1,
        endLine: 1,
        column: 1,
        endColumn: 2,
        level: 'error',
        code: 2148,
        message: 'x',
        fix: null,
      },
    ],
  },
};
const NAMES: Readonly<Record<string, { tool: string; title: string }>> = {
  choctawhog: { tool: 'rusty_hog', title: 'Rusty Hog' },
  essexhog: { tool: 'rusty_hog', title: 'Rusty Hog' },
  xeol: { tool: 'xeol', title: 'Xeol' },
  'xeol that found nothing': { tool: 'xeol', title: 'Xeol' },
  shellcheck: { tool: 'shellcheck', title: 'ShellCheck' },
  'shellcheck json1': { tool: 'shellcheck', title: 'ShellCheck' },
};

describe.each(Object.entries(REPORTS))('%s', (name, report) => {
  const { tool, title } = NAMES[name] ?? { tool: '', title: '' };
  const text = JSON.stringify(report);

  test('is refused by its own name with what to do, until there is an importer of it', () => {
    expect(() => refuseUnread(Buffer.from(text), new Set())).toThrow(
      new RegExp(`report of ${title}, .*run|report of ${title}, .*Scan`),
    );
    expect(() => refuseUnread(Buffer.from(text), new Set([tool]))).not.toThrow();
  });

  test('is imported by no other tool', async () => {
    for (const parser of parsers) {
      if (parser.tool === tool) continue;
      await expect(parseText(parser, text), parser.tool).rejects.toMatchObject({
        code: 'report_wrong_tool',
        message: expect.stringContaining(title),
      });
    }
  });
});
