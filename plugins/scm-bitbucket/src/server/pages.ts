import { ConnectorError, type Http, type Json, readAnswer, type Static, type TSchema } from '@breakwater/sdk';
import { Page } from './answers.ts';

/** 100 is Bitbucket's largest page (specification §9). */
const LARGEST = '100';

/**
 * Every row of a list. Bitbucket names the next page by a whole address; only its query is taken over, so that the token cannot be
 * lured to another host.
 * @throws ConnectorError upstream, where a list goes in circles
 */
export async function* rowsOf<const Row extends TSchema>(
  http: Http,
  path: string,
  row: Row,
): AsyncIterable<Static<Row>> {
  const seen = new Set<string>();
  let query: Record<string, string> | undefined = { pagelen: LARGEST };
  while (query !== undefined) {
    const key = new URLSearchParams(query).toString();
    if (seen.has(key)) throw new ConnectorError('upstream', 'Bitbucket repeats a page of a list.');
    seen.add(key);
    const answer: Json = await http.json({ path, query });
    const page: Static<ReturnType<typeof Page<Row>>> = readAnswer(Page(row), answer);
    yield* page.values;
    query = page.next === undefined ? undefined : queryOf(page.next);
  }
}

function queryOf(address: string): Record<string, string> {
  if (!URL.canParse(address)) throw new ConnectorError('upstream', 'Bitbucket names a next page that is no address.');
  return Object.fromEntries(new URL(address).searchParams);
}
