import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
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
    throw new FeedError(msg('It is not JSON, or the file is not whole.'));
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
    if (issue === undefined) throw new FeedError(msg('It is not the catalogue of known exploited vulnerabilities.'));
    throw new FeedError(
      sayEnglish('It is not the catalogue of known exploited vulnerabilities ({place}: {why}).', {
        place: issue.instancePath === '' ? '/' : issue.instancePath,
        why: issue.message,
      }),
    );
  }
  const { vulnerabilities, count, dateReleased } = file;
  if (vulnerabilities.length === 0) throw new FeedError(msg('It holds no vulnerabilities.'));
  if (count !== undefined && count !== vulnerabilities.length) {
    throw new FeedError(
      sayEnglish('It says it holds {said} vulnerabilities, and holds {count}.', {
        said: String(count),
        count: String(vulnerabilities.length),
      }),
    );
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
