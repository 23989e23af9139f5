import { ConnectorError, type Http, type Json } from '@breakwater/sdk';

/** Asked for (specification §7); a server gives at most its own `MAX_RESPONSE_ITEMS`, 50 as it is installed. */
const LIMIT = 100;
/** More pages than any server has; a server that ignores `page` would else be read for ever. */
const MOST_PAGES = 10_000;

/** The rows of one page. */
type RowsIn<Row> = (page: Json) => readonly Row[];

/**
 * Every row of a list. A short page is not the last one here, because servers cap the page size: the list ends with an empty page or when
 * as many rows have come as `X-Total-Count` says.
 */
export async function* rowsOf<Row>(
  http: Http,
  request: { readonly path: string; readonly query?: Readonly<Record<string, string | number>> },
  rowsIn: RowsIn<Row>,
): AsyncIterable<Row> {
  let count = 0;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await http.request({ path: request.path, query: { ...request.query, limit: LIMIT, page } });
    const rows = rowsIn(parse(answer.body));
    yield* rows;
    count += rows.length;
    const total = Number(answer.headers['x-total-count'] ?? Number.NaN);
    if (rows.length === 0 || count >= total) return;
  }
  throw new ConnectorError('upstream', 'Gitea answers with the same list again and again.');
}

function parse(body: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new ConnectorError('upstream', 'Gitea answered with something that is no JSON.', { cause });
  }
}
