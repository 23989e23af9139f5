import type { Ctx, Http, Json, Paging } from '../../../context.ts';
import type { CredentialSchema } from '../../../credentials.ts';
import type { ConnectorDocument, ListDocument } from '../../../declarative/document.ts';
import { ConnectorError } from '../../../errors.ts';
import type { EgressGate } from '../../../host/egress/egress-gate.ts';
import { isTooDeep } from '../../../host/http/answers.ts';
import { wholeBody } from '../../../host/http/read-body.ts';
import type { Operation } from '../service/operations.ts';
import { answerOf } from './recording-gate.ts';

export interface ShortLists {
  readonly gate: EgressGate;
  /** The operation as it has to be run, so that the gate knows which list is read. */
  watch(operation: Operation): Operation;
  /** Whether a list was gone through to a second page. */
  hasSecondPage(): boolean;
}

/** Of one answer, unpacked. */
export const MOST_ANSWER_BYTES = 2 * 1024 * 1024;
/** Requests of one run, redirects and repeats among them. */
const MOST_REQUESTS = 60;
/** Records that are kept of one page. */
const MOST_RECORDS = 10;
const MOST_TARGETS = 3;

interface OpenList {
  readonly list: ListDocument;
  readonly mostRecords: number;
  readonly mostPages: number;
  pages: number;
}

/**
 * A gate behind which an account is small: of each list the connector sees the first two pages and a few records of each, and the second says
 * that it is the last. So a run is short whatever the account holds, and what is recorded of it replays as a whole.
 */
export function createShortLists(document: ConnectorDocument, gate: EgressGate): ShortLists {
  const { findings } = document;
  let open: OpenList | undefined;
  let lists = 0;
  let requests = 0;
  let most = 0;
  const begin = (): void => {
    if (findings === undefined) return;
    const isTargets = findings.targets !== undefined && lists === 0;
    lists += 1;
    // one list with a second page shows that pages are read: findings, where they have pages
    const isFirstPageEnough = isTargets && findings.paging !== undefined;
    open = {
      list: isTargets && findings.targets !== undefined ? findings.targets : findings,
      mostRecords: isTargets ? MOST_TARGETS : MOST_RECORDS,
      mostPages: isFirstPageEnough ? 1 : 2,
      pages: 0,
    };
  };
  return {
    gate: {
      send: async (request) => {
        requests += 1;
        if (requests > MOST_REQUESTS)
          throw new ConnectorError('upstream', `More than ${MOST_REQUESTS} requests were needed.`, {
            help: 'Ask for smaller pages, or test with an account that holds less.',
          });
        const answer = await gate.send(request);
        const bytes = await wholeBody(answer, MOST_ANSWER_BYTES);
        // before anything goes down into it
        if (isTooDeep(bytes)) throw new ConnectorError('upstream', 'The answer is nested too deeply to be read.');
        const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !ENCODED.has(name)));
        const content = open !== undefined && answer.status < 300 ? contentOf(bytes) : undefined;
        if (open === undefined || content === undefined) return answerOf({ ...answer, headers }, bytes);
        open.pages += 1;
        most = Math.max(most, open.pages);
        const isLast = open.pages >= open.mostPages;
        const short = shortened(content, open, isLast);
        const { link: _link, ...others } = headers;
        return answerOf(
          { ...answer, headers: isLast && open.list.paging?.type === 'link' ? others : headers },
          new TextEncoder().encode(JSON.stringify(short)),
        );
      },
      close: () => gate.close(),
    },
    watch: (operation) => ({
      ...operation,
      run: (ctx) => {
        open = undefined;
        lists = 0;
        return operation.run(operation.name === 'findings.sync' ? watched(ctx, begin) : ctx);
      },
    }),
    hasSecondPage: () => most > 1,
  };
}

/** How the body was sent, which has been read by now. */
const ENCODED = new Set(['content-length', 'content-encoding', 'transfer-encoding']);

function contentOf(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function watched(ctx: Ctx<CredentialSchema>, begin: () => void): Ctx<CredentialSchema> {
  const { http } = ctx;
  const watching: Http = {
    ...http,
    json: (request) => {
      begin();
      return http.json(request);
    },
    pages: async function* pages(request, paging) {
      begin();
      yield* http.pages(request, paging);
    },
  };
  return { ...ctx, http: watching };
}

function shortened(content: Json, { list, mostRecords }: OpenList, isLast: boolean): Json {
  const { paging, records } = list;
  const keys = records === undefined ? [] : records.split('.').filter((key, index) => index > 0 || key !== '$');
  const isCounted = paging?.type === 'page' || paging?.type === 'offset';
  // a page that is not full is the last one
  if (isCounted && !isLast) return content;
  const most = isCounted ? Math.min(mostRecords, paging.size - 1) : mostRecords;
  const short = cut(content, keys, most);
  return isLast ? ended(short, paging, most) : short;
}

/** The first items of the list at a path, and of lists on the way there. */
function cut(value: Json, keys: readonly string[], most: number): Json {
  if (isList(value)) return value.slice(0, most).map((item) => (keys.length === 0 ? item : cut(item, keys, most)));
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  return changed(value, key, (part) => cut(part, rest, most));
}

/** An answer that says there is no page after it. */
function ended(content: Json, paging: Paging | undefined, most: number): Json {
  switch (paging?.type) {
    case 'next':
      return changedAt(content, paging.nextAt, () => null);
    case 'cursor': {
      const without = changedAt(content, paging.cursorAt, () => null);
      return paging.moreAt === undefined ? without : changedAt(without, paging.moreAt, () => false);
    }
    case 'page':
    case 'offset':
      return paging.itemsAt === undefined ? content : cut(content, paging.itemsAt.split('.'), most);
    default:
      return content;
  }
}

function changedAt(value: Json, path: string, change: (part: Json) => Json): Json {
  const [key = '', ...rest] = path.split('.');
  return changed(value, key, (part) => (rest.length === 0 ? change(part) : changedAt(part, rest.join('.'), change)));
}

function changed(value: Json, key: string, change: (part: Json) => Json): Json {
  if (typeof value !== 'object' || value === null || isList(value) || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, name === key ? change(part) : part]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
