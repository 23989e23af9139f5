import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { noseyparker } from './parser.ts';

const SECRET = 'hunter2-hunter2';
const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');
const match = (change: object = {}) => ({
  provenance: [{ kind: 'file', path: './src/app.py' }],
  location: { source_span: { start: { line: 3, column: 5 }, end: { line: 3, column: 30 } } },
  groups: [Buffer.from(SECRET).toString('base64')],
  snippet: { before: 'key = "other-secret"\n', matching: `password = "${SECRET}"`, after: '\n' },
  ...change,
});
const secret = (change: object = {}) => ({
  rule_name: 'Generic Password',
  rule_text_id: 'np.generic.5',
  groups: [Buffer.from(SECRET).toString('base64')],
  num_matches: 1,
  matches: [match()],
  ...change,
});
const read = (...secrets: object[]) => parseText(noseyparker, secrets.map((value) => JSON.stringify(value)).join('\n'));

test('a secret leaves as its digest, and the code around it stays out', async () => {
  const { findings } = await read(secret());
  expect(findings).toEqual([
    {
      kind: 'finding',
      ruleId: 'np.generic.5',
      title: 'Generic Password',
      type: 'Secrets',
      severity: 'high',
      mitigation: 'Revoke the secret, then remove it from the code and its history.',
      cwe: [798],
      locations: [
        {
          path: 'src/app.py',
          startLine: 3,
          endLine: 3,
          startColumn: 5,
          endColumn: 30,
          snippet: 'password = "********"',
        },
      ],
      secretHash: sha256(SECRET),
    },
  ]);
});

test('one finding for each place, lines and a list alike', async () => {
  const twice = secret({ num_matches: 2, matches: [match(), match({ provenance: [{ kind: 'file', path: 'b.py' }] })] });
  const { findings } = await read(twice);
  expect(findings.map(({ locations }) => locations?.[0]?.path)).toEqual(['src/app.py', 'b.py']);
  expect((await parseText(noseyparker, JSON.stringify([twice]))).findings).toEqual(findings);
});

test('places that the report leaves out make it incomplete', async () => {
  const { findings, failures } = await read(secret({ num_matches: 9 }));
  expect(findings).toHaveLength(1);
  expect(failures).toEqual(['8 places of secrets are not listed: write the report with “--max-matches -1”.']);
});

test('of a repository: commit, author and the file in it; the secret is blanked in the message', async () => {
  const commit_metadata = { commit_id: 'abc1', author_name: 'Ann', message: `set ${SECRET}` };
  const git = { kind: 'git_repo', repo_path: '.git', first_commit: { commit_metadata, blob_path: 'conf/a.yml' } };
  const { findings } = await read(secret({ matches: [match({ provenance: [git] })] }));
  expect(findings[0]).toMatchObject({
    locations: [{ path: 'conf/a.yml' }],
    description: 'Found in commit abc1 by Ann.\n\nset ********',
  });
});

test('what was rejected is a false positive, with its comment', async () => {
  const { findings } = await read(secret({ matches: [match({ status: 'reject', comment: 'a test key' })] }));
  expect(findings[0]?.suppressed).toEqual({ verdict: 'false_positive', reason: 'a test key' });
});

test('no secret of the recorded reports is left', async () => {
  for (const file of ['noseyparker/one_vul.jsonl', 'noseyparker/0_22_0_without_githistory.jsonl']) {
    const bytes = sampleBytes(file);
    const { findings } = await parseBytes(noseyparker, bytes);
    const written = JSON.stringify(findings);
    for (const line of bytes.toString('utf8').trim().split('\n')) {
      const { groups, match_content } = JSON.parse(line);
      const known: string = match_content ?? Buffer.from(groups[0], 'base64').toString('utf8');
      expect(written).not.toContain(JSON.stringify(`"${known}`).slice(3, -1));
    }
    expect(findings.every(({ secretHash }) => secretHash !== undefined)).toBe(true);
  }
});
