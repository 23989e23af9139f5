import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../../../tools/__fixtures__/connectors/pier-watch/', import.meta.url);

const read = async (name: string) => JSON.parse(await readFile(new URL(name, FOLDER), 'utf8'));

/** A connector without code as somebody would publish it: Pier Watch without its reports. */
export const pierWatchFiles = async () => {
  const { report: _report, ...document } = await read('connector.json');
  const { reports: _reports, ...fixtures } = await read('conformance.json');
  return { document, fixtures };
};

/** How Pier Watch reads its reports, and one that was recorded, written out as those of a published connector are. */
export const pierWatchReport = async () => {
  const { report } = await read('connector.json');
  const [{ file, expect }] = (await read('conformance.json')).reports['pier-watch'];
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  return { report, text, recorded: { text, expect } };
};
