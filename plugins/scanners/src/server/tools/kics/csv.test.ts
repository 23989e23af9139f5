import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { kics } from './parser.ts';

test('CSV says what the JSON says, but for the name of the resource and the score', async () => {
  const read = async (file: string) =>
    (await parseBytes(kics, sampleBytes(`kics/${file}`))).findings.map((finding) => ({
      ...finding,
      resource: undefined,
      severityNumerical: undefined,
    }));
  expect(await read('made_E2E_CLI_036.csv')).toEqual(await read('E2E_CLI_036_RESULT_2.json'));
});

test('a row without a query is listed; JUnit is refused with the command that writes JSON', async () => {
  const csv = 'query_name,query_id,file_name,similarity_id,line\nA,a1,main.tf,s1,3\nB,,main.tf,s2,4\n';
  const { findings, unreadable } = await parseText(kics, csv);
  expect([findings.map(({ fingerprint }) => fingerprint), unreadable.length]).toEqual([['s1'], 1]);
  await expect(parseText(kics, '<testsuites name="KICS"/>')).rejects.toThrow('kics scan --report-formats json');
});
