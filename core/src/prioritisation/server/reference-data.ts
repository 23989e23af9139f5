import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { CweEntry, EpssEntry, KevEntry, ReferenceData } from '../model/reference.ts';

const FOLDER = new URL('../../../data/', import.meta.url);

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

const KevFile = Type.Object({
  vulnerabilities: Type.Array(
    Type.Object({
      cveID: Type.String(),
      vulnerabilityName: Type.String(),
      dateAdded: Type.String(),
      dueDate: Type.String(),
      requiredAction: Type.String(),
      knownRansomwareCampaignUse: Type.String(),
    }),
  ),
});

const Categories = Type.Array(Type.Object({ id: Type.String(), title: Type.String() }));
const TaxonomyFile = Type.Object({
  owasp_top10_2021: Categories,
  owasp_top10_2025: Categories,
  owasp_cicd_2022: Categories,
  slsa_threats_v1_0: Categories,
});

const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(new URL(name, FOLDER), 'utf8'));

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

const readKev = async (): Promise<Map<string, KevEntry>> => {
  const { vulnerabilities } = Value.Parse(KevFile, await readJson('kev.json'));
  return new Map(
    vulnerabilities.map((entry): [string, KevEntry] => [
      entry.cveID,
      {
        cve: entry.cveID,
        name: entry.vulnerabilityName,
        dateAdded: entry.dateAdded,
        dueDate: entry.dueDate,
        requiredAction: entry.requiredAction,
        isRansomware: entry.knownRansomwareCampaignUse === 'Known',
      },
    ]),
  );
};

/** `#` lines are comments, as in the daily feed of FIRST.org; the first one carries the date of the snapshot. */
const readEpss = async (): Promise<Map<string, EpssEntry>> => {
  const text = await readFile(new URL('epss-kev-subset.csv', FOLDER), 'utf8');
  const date = /^#.*?(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
  const scores = new Map<string, EpssEntry>();
  for (const line of text.split('\n')) {
    const [cve, probability, percentile] = line.split(',');
    if (cve === undefined || !cve.startsWith('CVE-')) continue;
    scores.set(cve, {
      probability: Number(probability),
      percentile: Number(percentile),
      ...(date === undefined ? {} : { date }),
    });
  }
  return scores;
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

const load = async (): Promise<ReferenceData> => {
  const [cwe, kev, epss, titles] = await Promise.all([readCwe(), readKev(), readEpss(), readTitles()]);
  return {
    cwe: (id) => cwe.get(id),
    kev: (cve) => kev.get(cve.toUpperCase()),
    epss: (cve) => epss.get(cve.toUpperCase()),
    owaspTitle: (id) => titles.owasp.get(id),
    supplyChainTitle: (id) => titles.supplyChain.get(id),
  };
};

let loading: Promise<ReferenceData> | undefined;

/** Reads `core/data` once per process or worker thread. */
export const loadReferenceData = (): Promise<ReferenceData> => {
  loading ??= load();
  return loading;
};
