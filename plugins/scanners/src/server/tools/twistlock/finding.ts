// no text in this file: what findings say is stored in English
import type { NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import {
  chooseCvss,
  cvss,
  severityFromWord,
  severityNumber,
  vulnerabilitySeverity,
} from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { defined, fields, label, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/** A vulnerability of `twistcli images scan`. Source: Prisma Cloud Compute 19 to 33, "twistcli" and "CSV export". */
const Vulnerability = Type.Object({ id: Type.String({ minLength: 1 }), severity: Type.Optional(Type.Unknown()) });
export type Vulnerability = Static<typeof Vulnerability>;
export const vulnerabilityCheck = recordCheck(Vulnerability);

/** A failed check of a benchmark, whose ids are numbers. */
const Compliance = Type.Object({ title: Type.String({ minLength: 1 }) });
export type Compliance = Static<typeof Compliance>;
export const complianceCheck = recordCheck(Compliance);

export function vulnerabilityFinding(vulnerability: Vulnerability, image: string | undefined): NormalizedFinding {
  const record = fields(vulnerability);
  const id = label(record.id) ?? 'unnamed vulnerability';
  const nativeSeverity = label(record.severity);
  const points = number(record.cvss);
  const rating = chooseCvss([cvss('3.0', points !== undefined && points > 0 ? points : undefined, record.vector)]);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const status = label(record.status);
  const name = label(record.packageName);
  const path = normalisePath(record.packagePath);
  const fixedVersion = fixOf(status);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(name === undefined ? id : `${id} in ${name}`),
    type: 'Container' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(text(record.description), text(record.cause)),
    mitigation: fixedVersion === undefined ? undefined : `Upgrade ${name ?? 'the package'} to ${fixedVersion}.`,
    ...identifiers(id),
    ...rating,
    references: webAddresses(record.link),
    component:
      name === undefined
        ? undefined
        : defined({ name, version: label(record.packageVersion), ecosystem: label(record.packageType), fixedVersion }),
    locations: path === undefined ? undefined : [{ path }],
    resource: image,
    date: isoDate(record.discoveredDate),
    published: isoDate(record.publishedDate),
    tags: status === undefined ? undefined : [status],
  });
}

/** `fixed in 4.1.3, 4.0.9` */
const fixOf = (status: string | undefined): string | undefined => /^fixed in (\S.*)$/i.exec(status ?? '')?.[1];

export function complianceFinding(compliance: Compliance, image: string | undefined): NormalizedFinding {
  const record = fields(compliance);
  const nativeSeverity = label(record.severity);
  const title = text(compliance.title);
  const id = label(record.id) ?? label(title) ?? 'unnamed check';
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(title ?? id),
    type: 'Configuration' as const,
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description: paragraphs(text(record.description), text(record.cause)),
    resource: image,
    policy: defined({ category: label(record.category), control: id }),
  });
}
