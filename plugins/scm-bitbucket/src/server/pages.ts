import { type Http, type HttpRequest, readAnswer, type Static, type TSchema } from '@breakwater/sdk';
import { Page } from './answers.ts';

/** Every row of a list. 100 is Bitbucket's largest page (specification §9); the address of the next one is checked by the host. */
export async function* rowsOf<const Row extends TSchema>(
  http: Http,
  path: string,
  row: Row,
  query: HttpRequest['query'] = {},
): AsyncIterable<Static<Row>> {
  for await (const answer of http.pages(
    { path, query: { pagelen: 100, ...query } },
    { type: 'next', nextAt: 'next' },
  )) {
    const page: Static<ReturnType<typeof Page<Row>>> = readAnswer(Page(row), answer);
    yield* page.values;
  }
}
