import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { FeedError } from './feeds.ts';
import type { KevEntry } from './reference.ts';

/** The catalogue of one day. */
export interface KevTable {
  /** ISO day. */
  date: string;
  /** By CVE in upper case. */
  entries: ReadonlyMap<string, KevEntry>;
}

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const KevFile = Type.Object({
  dateReleased: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}' }),
  count: Type.Optional(Type.Integer()),
  vulnerabilities: Type.Array(
    Type.Object({
      cveID: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,}$' }),
      vulnerabilityName: Type.String(),
      dateAdded: Day,
      dueDate: Day,
      requiredAction: Type.String(),
      knownRansomwareCampaignUse: Type.String(),
    }),
  ),
});

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new FeedError('It is not JSON, or the file is not whole.');
  }
};

/**
 * Reads CISA's catalogue of known exploited vulnerabilities. All or nothing.
 * @throws FeedError that says what is wrong. Source: known_exploited_vulnerabilities_schema.json of CISA, 2026-07.
 */
export const parseKev = (text: string): KevTable => {
  const file = readJson(text);
  if (!Value.Check(KevFile, file)) {
    const [issue] = Value.Errors(KevFile, file);
    const where =
      issue === undefined
        ? ''
        : ` (${issue.instancePath === '' ? 'at the top' : issue.instancePath}: ${issue.message})`;
    throw new FeedError(`It is not the catalogue of known exploited vulnerabilities${where}.`);
  }
  const { vulnerabilities, count, dateReleased } = file;
  if (vulnerabilities.length === 0) throw new FeedError('It holds no vulnerabilities.');
  if (count !== undefined && count !== vulnerabilities.length) {
    throw new FeedError(`It says it holds ${count} vulnerabilities, and holds ${vulnerabilities.length}.`);
  }
  const entries = new Map(
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
  return { date: dateReleased.slice(0, 10), entries };
};
