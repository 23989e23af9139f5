import type { FindingType, NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers } from '../lib/cwe.ts';
import { isoDate } from '../lib/dates.ts';
import { normalisePath } from '../lib/paths.ts';
import { defined, label, position } from '../lib/read.ts';
import { severityFromWord } from '../lib/severity.ts';
import { oneLine } from '../lib/text.ts';
import { suppressionOf } from '../tools/fortify/audit.ts';
import type { Vulnerability } from './answers.ts';

/** Kinds of scan by their name at Fortify, lower case. What is not listed is code. */
const TYPES: Readonly<Record<string, FindingType>> = { dynamic: 'DAST', opensource: 'SCA', 'open source': 'SCA' };

/**
 * An issue of Fortify on Demand in the words of the importer of Fortify's reports: rule, path and fingerprint are the same. The list
 * holds no code, so an uploaded finding that has some is recognised by rule, path and line instead.
 */
export function findingOf(issue: Vulnerability): NormalizedFinding {
  const path = normalisePath(issue.primaryLocationFull ?? issue.primaryLocation);
  const kingdom = label(issue.kingdom);
  return defined({
    kind: 'finding' as const,
    ruleId: issue.category,
    title: oneLine(issue.category),
    type: TYPES[(issue.scantype ?? '').toLowerCase()] ?? ('SAST' as const),
    severity: severityFromWord(issue.severityString) ?? ('informational' as const),
    nativeSeverity: issue.severityString,
    cwe: cweNumbers((issue.cwe ?? '').replaceAll('CWE ID ', 'CWE-')),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(issue.lineNumber) })],
    fingerprint: label(issue.instanceId),
    policy: kingdom === undefined ? undefined : { category: kingdom },
    suppressed: suppressionOf({
      isSuppressed: issue.isSuppressed === true,
      analysis: label(issue.auditorStatus),
      comment: undefined,
    }),
    date: isoDate(issue.introducedDate),
  });
}
