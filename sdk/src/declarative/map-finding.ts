import { ConnectorError } from '../errors.ts';
import { type NormalizedFinding, SEVERITIES } from '../findings/finding.ts';
import { findingIssues, isNormalizedFinding } from '../findings/finding-schema.ts';
import { type FindingMapping, type MappedRecord, type Mapper, MappingError, type MappingJob } from './document.ts';

/** A record that became no finding, and why, without its values. */
export interface RefusedRecord {
  readonly refused: string;
}

/** What a mapping cannot read is an answer that is not as the document expects it. */
export async function answering<T>(part: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new ConnectorError(
      'upstream',
      `The answer could not be read by "${part}" of the connector. ${error.message}`,
      {
        help: 'Does the connector know this version of the service?',
        cause: error,
      },
    );
  }
}

export interface RecordsJob extends Pick<MappingJob, 'items' | 'bindings'> {
  readonly map: Readonly<Record<string, string>>;
  readonly where: string | undefined;
}

/** The records that a mapping is about, with what its expressions gave. @throws MappingError */
export async function mappedRecords({ items, bindings, map, where }: RecordsJob, mapper: Mapper) {
  if (items.length === 0) return [];
  const expressions = { ...map, ...(where === undefined ? {} : { [WHERE]: where }) };
  const records = await mapper.map({ items, bindings, expressions });
  if (where === undefined) return records;
  return records.filter((record) => record[WHERE] === true).map(({ [WHERE]: _, ...record }) => record);
}

/** Beside the fields of a finding, none of which has this name. */
const WHERE = 'where';

/** What the expressions of a mapping gave, as a finding. Nothing is guessed: what does not fit is refused with its reason. */
export function findingOf(mapped: MappedRecord, mapping: FindingMapping): NormalizedFinding | RefusedRecord {
  const { severity: word, ...given } = present(mapped);
  const severity = severityOf(word, mapping.severities ?? {});
  if (severity === undefined) {
    return { refused: word === undefined ? 'severity: is missing' : 'severity: "severities" says nothing of its word' };
  }
  const finding: unknown = {
    ...(mapping.type === undefined ? {} : { type: mapping.type }),
    ...given,
    ...(typeof word === 'string' && word !== severity ? { nativeSeverity: word } : {}),
    kind: 'finding',
    severity,
  };
  return isNormalizedFinding(finding) ? finding : { refused: findingIssues(finding).slice(0, 3).join('; ') };
}

/** Without what an expression did not find, at any depth: an absent field says that the tool did not say. */
function present(value: MappedRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const cleaned = withoutAbsent(part);
      return cleaned === undefined ? [] : [[name, cleaned]];
    }),
  );
}

function withoutAbsent(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (Array.isArray(value)) {
    const parts = value.map(withoutAbsent).filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts;
  }
  if (typeof value !== 'object') return value;
  return present(Object.fromEntries(Object.entries(value)));
}

function severityOf(word: unknown, meanings: NonNullable<FindingMapping['severities']>) {
  if (typeof word !== 'string' && typeof word !== 'number') return undefined;
  const asked = String(word).trim().toLowerCase();
  const [, meant] = Object.entries(meanings).find(([known]) => known.toLowerCase() === asked) ?? [];
  return meant ?? SEVERITIES.find((severity) => severity === asked) ?? meanings['*'];
}
