// no text in this file: a finding keeps its text as every report does, in English
import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import type { LicenseClass } from './license-classes.ts';
import type { LicenseClassification, LicenseVerdict } from './license-policy.ts';

/** Name of our own licence check, as it stands beside the names of scanners. */
export const LICENSE_TOOL = 'breakwater-license';

/** Components of one name with the same licences. */
export interface LicensedComponent {
  name: string;
  group: string | null;
  ecosystem: string | null;
  licenses: readonly string[];
  /** At most a few, for the text. */
  versions: readonly string[];
}

const SEVERITY: Readonly<Record<LicenseVerdict, Severity>> = {
  allowed: 'informational',
  review: 'medium',
  forbidden: 'high',
};

const CLASS_DUTY: Readonly<Record<LicenseClass, string>> = {
  permissive: 'It asks for little more than its notices.',
  weak_copyleft: 'Changes to its own files or library must be passed on under it.',
  strong_copyleft: 'Software that is passed on together with it must be passed on under it, with its source.',
  network_copyleft: 'Offering it over a network already asks for the source of the software that contains it.',
  proprietary: 'It restricts use, for example to non-commercial purposes.',
  unknown: 'Its terms are not known.',
};

/** Maven joins group and name by a colon, everybody else by a slash. */
const nameOf = ({ name, group, ecosystem }: LicensedComponent): string =>
  (group ?? '') === '' ? name : `${group}${ecosystem === 'maven' ? ':' : '/'}${name}`;

const MITIGATION =
  'Replace the component, obtain another licence, or accept it: allow the licence in the licence policy, or mark this finding as an accepted risk with the reason.';

/**
 * The finding of a component whose licence the policy forbids or wants looked at. Its rule is the licence that decides, so that it meets
 * what scanners say of the same licence, and stays the same finding when the policy or the version changes.
 */
export const licenseFinding = (
  component: LicensedComponent,
  classification: LicenseClassification,
): NormalizedFinding => {
  const name = nameOf(component);
  const { verdict, license, licenseClass } = classification;
  const stated = component.licenses.join('; ');
  const versions = component.versions.length === 0 ? '' : ` Versions: ${component.versions.join(', ')}.`;
  return {
    kind: 'finding',
    ruleId: license ?? 'no-license',
    title: (license === undefined ? `No licence stated for ${name}` : `Licence ${license} of ${name}`).slice(0, 500),
    type: 'License',
    severity: SEVERITY[verdict],
    description: [
      verdict === 'forbidden'
        ? 'The licence policy forbids this licence.'
        : 'The licence policy asks for a review of this licence.',
      CLASS_DUTY[licenseClass],
      stated === '' ? '' : `The inventory says: ${stated}.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' ')
      .concat(versions),
    mitigation: MITIGATION,
    component: { name, ...(component.ecosystem === null ? {} : { ecosystem: component.ecosystem }) },
    policy: { name: 'Licence policy', category: licenseClass },
    tags: [verdict === 'forbidden' ? 'license-forbidden' : 'license-review'],
  };
};
