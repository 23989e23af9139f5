import type { FindingsSource, SyncRecord, SyncTarget } from '../capability-contracts.ts';
import type { Http, HttpRequest, Json } from '../context.ts';
import { ConnectorError } from '../errors.ts';
import type { FindingsDocument, ListDocument, MappedRecord, Mapper, TargetsDocument } from './document.ts';
import { answering, findingOf, mappedRecords } from './map-finding.ts';
import { recordsAt } from './records.ts';
import { fillRequest } from './templates.ts';

type Bindings = Readonly<Record<string, unknown>>;

/** Pulls findings target by target; a cursor after each, so that an interrupted sync goes on with the next. */
export function createFindings(document: FindingsDocument, title: string, mapper: Mapper): FindingsSource {
  return {
    async *sync({ http, config }, since): AsyncGenerator<SyncRecord> {
      const targets =
        document.targets === undefined
          ? [{ kind: 'target' as const, id: 'all', name: title }]
          : await readTargets(document.targets, { http, config, mapper });
      for (const target of targets.filter(({ id }) => since === undefined || id > since)) {
        yield target;
        const { id, name } = target;
        const request = fillRequest(document.request, { ...config, 'target.id': id, 'target.name': name });
        // a plain copy, because it goes to a worker
        const bindings = { config: { ...config }, target: { id, name } };
        let count = 0;
        for await (const input of answersOf(http, request, document)) {
          for (const mapped of await recordsOf(document, 'findings', { input, bindings, mapper })) {
            count += 1;
            const finding = findingOf(mapped, document);
            if ('refused' in finding) throw unexpected(`Finding ${count}`, finding.refused);
            yield finding;
          }
        }
        yield { kind: 'cursor', cursor: id };
      }
    },
  };
}

interface Means {
  readonly http: Http;
  readonly config: Bindings;
  readonly mapper: Mapper;
}

/** In the order of their ids: by that a cursor says where to go on. */
async function readTargets(document: TargetsDocument, { http, config, mapper }: Means): Promise<SyncTarget[]> {
  const targets = new Map<string, SyncTarget>();
  for await (const input of answersOf(http, fillRequest(document.request, config), document)) {
    for (const mapped of await recordsOf(document, 'findings.targets', {
      input,
      bindings: { config: { ...config } },
      mapper,
    })) {
      const target = targetOf(mapped);
      targets.set(target.id, target);
    }
  }
  return [...targets.values()].toSorted((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)));
}

function targetOf({ id, name, url }: MappedRecord): SyncTarget {
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '')
    throw unexpected('An application', 'id: is missing');
  if (typeof name !== 'string' || name === '') throw unexpected('An application', 'name: is missing');
  const isAddress = typeof url === 'string' && url.startsWith('https://');
  return { kind: 'target', id: String(id), name, ...(isAddress ? { url } : {}) };
}

const UNEXPECTED = 'The service answered in an unexpected way.';

const unexpected = (what: string, why: string): ConnectorError =>
  new ConnectorError('upstream', `${UNEXPECTED} ${what}: ${why}.`, {
    help: 'Does the connector know this version of the service?',
  });

async function* answersOf(http: Http, request: HttpRequest, { paging }: ListDocument): AsyncGenerator<Json> {
  if (paging === undefined) yield await http.json(request);
  else yield* http.pages(request, paging);
}

function recordsOf(
  { records, map, where }: ListDocument & { map: Readonly<Record<string, string>>; where?: string },
  part: string,
  { input, bindings, mapper }: { input: Json; bindings: Bindings; mapper: Mapper },
): Promise<readonly MappedRecord[]> {
  return answering(part, () => mappedRecords({ items: recordsAt(input, records), bindings, map, where }, mapper));
}
