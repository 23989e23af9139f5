// no text in this file: what findings say is stored in English
import type { NormalizedFinding } from '@breakwater/sdk';
import { identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { firstSentence, isoDate, oneLine } from '../../lib/findings/text.ts';
import { defined, label, labels, text } from '../../lib/values/read.ts';

/** What a vulnerable or wrongly licensed package adds. Source: checkov/common/sca/output.py. */
export function packageFinding(
  details: Record<string, unknown>,
  record: Record<string, unknown>,
  checkType: string | undefined,
): Partial<NormalizedFinding> {
  const name = label(details.package_name) ?? 'unnamed package';
  const version = label(details.package_version);
  const summary = text(record.short_description);
  const component = defined({ name, version, ecosystem: ecosystemOf(details), fixedVersion: fixedVersion(details) });
  const licence = label(details.license);
  if (details.id === undefined && licence !== undefined) {
    const title = oneLine(summary ?? `Licence ${licence} of ${name}`);
    return { type: 'License', title, component, ...defined({ policy: policyOf(details) }) };
  }
  const rating = chooseCvss([cvss('3.1', details.cvss, details.vector)]);
  const word = label(details.severity);
  const severity = vulnerabilitySeverity(word, rating.cvssScore);
  const nativeSeverity = label(record.severity) ?? word;
  const id = label(details.id);
  const description = text(details.description) ?? text(record.description);
  return {
    ...rating,
    ...identifiers(id),
    ...defined({
      type: checkType === 'sca_image' ? ('Container' as const) : ('SCA' as const),
      title: oneLine(titleOf(id, name, description) ?? summary ?? `Vulnerable package ${name}`),
      severity,
      nativeSeverity,
      severityNumerical: severityNumber(severity, rating.cvssScore),
      description,
      mitigation:
        component.fixedVersion === undefined ? undefined : `Upgrade ${name} to ${component.fixedVersion} or later.`,
      references: webAddresses(details.link, record.guideline),
      date: isoDate(record.scan_date),
      component,
    }),
  };
}

function titleOf(id: string | undefined, name: string, description: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const sentence = description === undefined ? undefined : firstSentence(description);
  return sentence === undefined ? `${id} in ${name}` : `${id}: ${sentence}`;
}

function policyOf(details: Record<string, unknown>): NormalizedFinding['policy'] {
  const control = label(details.policy);
  return control === undefined ? undefined : { category: 'Licences', control };
}

/** `python`, `javascript` … are languages here, and `os` stands for whatever the image uses. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['python', 'pypi'],
  ['javascript', 'npm'],
  ['nodejs', 'npm'],
  ['java', 'maven'],
  ['jar', 'maven'],
  ['go', 'golang'],
  ['ruby', 'gem'],
  ['gem', 'gem'],
  ['php', 'composer'],
  ['c#', 'nuget'],
  ['dotnet', 'nuget'],
]);

function ecosystemOf(details: Record<string, unknown>): string | undefined {
  return ECOSYSTEMS.get(label(details.package_type)?.toLowerCase() ?? '');
}

/** `lowest_fixed_version`, else the sentence "fixed in 1.2, 2.0" in `status`. */
function fixedVersion(details: Record<string, unknown>): string | undefined {
  const said = label(details.lowest_fixed_version) ?? label(details.fix_version);
  if (said !== undefined && /\d/.test(said)) return said.replace(/^fixed in\s+/i, '');
  const versions = labels(details.fixed_versions, 20).filter((version) => /\d/.test(version));
  if (versions.length > 0) return versions.join(', ');
  const sentence = /^fixed in\s+(\S.*)$/i.exec(label(details.status) ?? '')?.[1];
  return label(sentence);
}
