import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { hadolint } from './parser.ts';

const read = async (file: string) => (await parseBytes(hadolint, sampleBytes(`hadolint/${file}`))).findings;

describe('formats of hadolint', () => {
  test.each(['checkstyle.xml', 'codeclimate.json', 'gitlab.json', 'sonarqube.json', 'tty.txt'])(
    '%s says what the JSON says',
    async (form) => {
      expect(await read(`made_many_files.${form}`)).toEqual(await read('ssf_hadolint_many_files.json'));
    },
  );

  test('colours and the prefix of the GNU format are no part of a path; other lines are listed', async () => {
    const esc = String.fromCharCode(27);
    const text = `hadolint:a b/Dockerfile:3: DL3006 warning: Always tag\n${esc}[1mDockerfile${esc}[0m:4 SC2046 \
${esc}[93mwarning${esc}[0m: Quote this\nDockerfile:9:1 unexpected 'x'\n`;
    const { findings, unreadable } = await parseText(hadolint, text);
    expect(findings.map(({ ruleId, locations }) => [ruleId, locations?.[0]?.path, locations?.[0]?.startLine])).toEqual([
      ['DL3006', 'a b/Dockerfile', 3],
      ['SC2046', 'Dockerfile', 4],
    ]);
    expect(unreadable.map(({ where }) => where)).toEqual(['line 3']);
  });

  test("another linter's checkstyle is refused, a broken error is listed", async () => {
    const errors = (...codes: string[]) =>
      `<checkstyle version='4.3'><file name='a'>${codes.map((code) => `<error line='1' severity='info' message='m' source='${code}'/>`).join('')}</file></checkstyle>`;
    await expect(parseText(hadolint, errors('ShellCheck.SC2086'))).rejects.toMatchObject({ code: 'report_wrong_tool' });
    const { findings, unreadable } = await parseText(hadolint, errors('DL3006', 'x'));
    expect([findings.length, unreadable[0]?.where]).toEqual([1, 'file/error[1]']);
    expect(hadolint.recognise(Buffer.from(errors('ShellCheck.SC2086')))).toBe(0);
  });

  test('what is none of its formats is refused with the command that writes one', async () => {
    await expect(parseText(hadolint, 'Usage: hadolint [-h]')).rejects.toThrow('hadolint --format json');
    await expect(parseText(hadolint, '{"a":1}')).rejects.not.toThrow('hadolint --format json');
  });
});
