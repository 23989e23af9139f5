import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { eslint } from './parser.ts';

const message = {
  ruleId: 'no-eval',
  severity: 2,
  message: 'eval can be harmful.',
  line: 2,
  column: 3,
  endLine: 2,
  endColumn: 7,
};
const file = (change: object, name = 'a.js') => ({ filePath: `/ci/42/shop/${name}`, messages: [message], ...change });
const read = (...files: object[]) => parseText(eslint, JSON.stringify(files));

describe('ESLint', () => {
  test('a message with its code, and the same one from another checkout', async () => {
    const source = 'run(x)\n  eval(y)\n';
    const { findings, coverage } = await read(file({ source }), file({ messages: [] }, 'src/b.js'));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'no-eval',
        title: 'eval can be harmful.',
        type: 'SAST',
        severity: 'high',
        nativeSeverity: 'error',
        description: 'eval can be harmful.',
        locations: [{ path: 'a.js', startLine: 2, endLine: 2, startColumn: 3, endColumn: 7, snippet: '  eval(y)' }],
      },
    ]);
    expect(coverage).toEqual([{ kind: 'coverage', files: ['a.js', 'src/b.js'] }]);
    const other = JSON.stringify([file({ source }), file({ messages: [] }, 'src/b.js')]).replaceAll(
      '/ci/42/',
      '/srv/other/',
    );
    expect((await parseText(eslint, other)).findings).toEqual(findings);
  });

  test('a file that cannot be parsed makes the scan incomplete', async () => {
    const fatal = { ruleId: null, fatal: true, severity: 2, message: 'Parsing error: Unexpected token', line: 1 };
    const { findings, failures } = await read(file({ messages: [fatal, message] }));
    expect(findings).toHaveLength(1);
    expect(failures).toEqual(['/ci/42/shop/a.js: Parsing error: Unexpected token']);
  });

  test('no file at all closes nothing', async () => {
    expect((await parseText(eslint, '[]')).failures).toEqual(['No file was linted.']);
    expect((await read(file({ messages: [] }))).failures).toEqual([]);
  });

  test('what a comment turned off comes in as suppressed, with its reason', async () => {
    const suppressions = [{ kind: 'directive', justification: 'checked in #42' }];
    const { findings } = await read(file({ messages: [], suppressedMessages: [{ ...message, suppressions }] }));
    expect(findings[0]?.suppressed).toEqual({ verdict: 'accepted_risk', reason: 'checked in #42' });
  });

  test('an ignored file is no result, a useless directive is one', async () => {
    const ignored = { ruleId: null, severity: 1, message: 'File ignored because of a matching ignore pattern.' };
    const useless = { ruleId: null, severity: 1, message: 'Unused eslint-disable directive.', line: 1 };
    const { findings } = await read(file({ messages: [ignored, useless] }));
    expect(findings.map(({ ruleId }) => ruleId)).toEqual(['unused-directive']);
  });

  test('with what the report says of its rules and its folder', async () => {
    const { findings } = await parseBytes(eslint, sampleBytes('eslint/recorded_v9_metadata.json'));
    expect(findings[0]).toMatchObject({
      ruleId: 'security/detect-child-process',
      references: [expect.stringContaining('detect-child-process.md')],
      locations: [{ path: 'src/run.js', snippet: "  exec('ls ' + name);" }],
    });
  });

  test('its SARIF is its own', () => {
    const sarif = sampleBytes('eslint/recorded_v9.sarif');
    expect(eslint.recognise(sarif)).toBeGreaterThan(0.9);
  });
});
