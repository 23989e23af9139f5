import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OneOf } from '../../../platform/api/envelope.ts';
import { type EpssTable, readEpss } from '../../model/epss-file.ts';
import { FEED_SOURCES, type FeedSource } from '../../model/feeds.ts';
import { type KevTable, parseKev } from '../../model/kev-file.ts';
import type { CweEntry, ReferenceData } from '../../model/reference.ts';

/** Runs one statement without parameters: on a transaction of the server, or on a worker's own connection. */
export type RunSql = (text: string) => Promise<{ rows: unknown[] }>;

/** Which file of a source is in use. */
export interface FeedKey {
  source: FeedSource;
  version: number;
  sha256: string;
}

const unpack = promisify(zstdDecompress);

const Keys = Type.Array(Type.Object({ source: OneOf(FEED_SOURCES), version: Type.Number(), sha256: Type.String() }));

/** The files in use, by source; none where the delivered data is. */
export const feedKeys = async (run: RunSql): Promise<FeedKey[]> => {
  const { rows } = await run('select source, version, sha256 from reference_feeds order by source');
  return Value.Parse(Keys, rows);
};

const contentOf = (row: unknown): Buffer => {
  if (typeof row === 'object' && row !== null && 'content' in row && Buffer.isBuffer(row.content)) return row.content;
  throw new Error('A file of reference data is gone');
};

/** The text of a stored file. */
export const readFeed = async (run: RunSql, source: FeedSource): Promise<string> => {
  const { rows } = await run(`select content from reference_feeds where source = '${source}'`);
  return (await unpack(contentOf(rows[0]))).toString('utf8');
};

/** Reads an EPSS file without holding up whoever else this thread serves. @throws FeedError */
export const parseEpss = async (text: string): Promise<EpssTable> => {
  const steps = readEpss(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
};

const FOLDER = new URL('../../../../data/', import.meta.url);

const CweFile = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    likelihood: Type.Optional(Type.Union([Type.Literal('High'), Type.Literal('Medium'), Type.Literal('Low')])),
    parents: Type.Optional(Type.Array(Type.Integer())),
    owasp_2021: Type.Optional(Type.String()),
    owasp_2025: Type.Optional(Type.String()),
  }),
);

const Categories = Type.Array(Type.Object({ id: Type.String(), title: Type.String() }));
const TaxonomyFile = Type.Object({
  owasp_top10_2021: Categories,
  owasp_top10_2025: Categories,
  owasp_cicd_2022: Categories,
  slsa_threats_v1_0: Categories,
});

const readText = (name: string): Promise<string> => readFile(new URL(name, FOLDER), 'utf8');
const readJson = async (name: string): Promise<unknown> => JSON.parse(await readText(name));

const readCwe = async (): Promise<Map<number, CweEntry>> => {
  const entries = Value.Parse(CweFile, await readJson('cwe.json'));
  return new Map(
    entries.map((entry): [number, CweEntry] => [
      entry.id,
      {
        id: entry.id,
        name: entry.name,
        parents: entry.parents ?? [],
        ...(entry.likelihood === undefined ? {} : { likelihood: entry.likelihood }),
        ...(entry.owasp_2021 === undefined ? {} : { owasp2021: entry.owasp_2021 }),
        ...(entry.owasp_2025 === undefined ? {} : { owasp2025: entry.owasp_2025 }),
      },
    ]),
  );
};

type Titles = ReadonlyMap<string, string>;

const readTitles = async (): Promise<{ owasp: Titles; supplyChain: Titles }> => {
  const file = Value.Parse(TaxonomyFile, await readJson('taxonomies.json'));
  const titles = (entries: readonly { id: string; title: string }[]): Titles =>
    new Map(entries.map((entry) => [entry.id, entry.title]));
  return {
    owasp: titles([...file.owasp_top10_2021, ...file.owasp_top10_2025]),
    supplyChain: titles([...file.owasp_cicd_2022, ...file.slsa_threats_v1_0]),
  };
};

interface Delivered {
  facts: Pick<ReferenceData, 'cwe' | 'owaspTitle' | 'supplyChainTitle'>;
  epss: EpssTable;
  kev: KevTable;
  /** All of the enumeration. */
  weaknesses: readonly CweEntry[];
}

const loadDelivered = async (): Promise<Delivered> => {
  const [cwe, kev, epss, titles] = await Promise.all([
    readCwe(),
    readText('kev.json').then(parseKev),
    readText('epss-kev-subset.csv').then(parseEpss),
    readTitles(),
  ]);
  const facts = {
    cwe: (id: number) => cwe.get(id),
    owaspTitle: (id: string) => titles.owasp.get(id),
    supplyChainTitle: (id: string) => titles.supplyChain.get(id),
  };
  return { facts, kev, epss, weaknesses: [...cwe.values()] };
};

let loading: Promise<Delivered> | undefined;

/** The files of `core/data`, read once per process or worker thread. */
export const deliveredData = (): Promise<Delivered> => {
  loading ??= loadDelivered();
  return loading;
};

const assemble = (version: number, { facts, epss, kev }: Delivered): ReferenceData => ({
  ...facts,
  version,
  epssDate: epss.date,
  epssModel: epss.model,
  kevDate: kev.date,
  kev: (cve) => kev.entries.get(cve.toUpperCase()),
  epss: (cve) => epss.get(cve.toUpperCase()),
});

/** The newest data of this process. Files are kept by digest: a test's database is not another's. */
let current: { key: string; data: Promise<ReferenceData> } | undefined;

const loadStored = async (run: RunSql, keys: readonly FeedKey[]): Promise<ReferenceData> => {
  const delivered = await deliveredData();
  const has = (source: FeedKey['source']): boolean => keys.some((one) => one.source === source);
  const epss = has('epss') ? await parseEpss(await readFeed(run, 'epss')) : delivered.epss;
  const kev = has('kev') ? parseKev(await readFeed(run, 'kev')) : delivered.kev;
  return assemble(Math.max(...keys.map((one) => one.version)), { ...delivered, epss, kev });
};

/**
 * The data to enrich with: what feeds or a file brought, else `core/data`. Without a connection `core/data` alone.
 * Read once per version, process and worker thread.
 */
export const loadReferenceData = async (run?: RunSql): Promise<ReferenceData> => {
  const keys = run === undefined ? [] : await feedKeys(run);
  if (run === undefined || keys.length === 0) return assemble(0, await deliveredData());
  const key = keys.map(({ source, version, sha256 }) => `${source} ${version} ${sha256}`).join(',');
  if (current?.key !== key) {
    const data = loadStored(run, keys);
    current = { key, data };
    // a failure is not kept
    data.catch(() => {
      if (current?.key === key) current = undefined;
    });
  }
  return current.data;
};
