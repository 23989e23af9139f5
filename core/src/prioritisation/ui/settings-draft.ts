import { msg } from '../../platform/model/message.ts';
import { t } from '../../platform/ui/language/translate.ts';
import {
  changedSettings,
  type PrioritySettings,
  type PrioritySettingsChange,
  type SettingGroup,
  settingEntries,
} from '../model/settings/priority-settings.ts';
import { type Concern, STANDARDS, type StandardKey } from '../model/settings/standards.ts';

/** The form as somebody fills it in: what was typed, also where it is no number. */
export interface SettingsDraft {
  toggle: boolean;
  texts: Record<string, string>;
}

export const draftOf = (settings: PrioritySettings): SettingsDraft => ({
  toggle: settings.toggle,
  texts: Object.fromEntries(
    settingEntries(settings).map(({ group, name, weight }) => [fieldKey(group, name), `${weight}`]),
  ),
});

const NOT_A_WEIGHT = 'A whole number from 0 to 100.';

const weightOf = (text: string | undefined): number | undefined => {
  const trimmed = text?.trim() ?? '';
  if (!/^\d{1,3}$/.test(trimmed)) return undefined;
  const weight = Number(trimmed);
  return weight <= 100 ? weight : undefined;
};

/** Issues by field; empty where the draft can be sent. */
export const draftIssues = ({ texts }: SettingsDraft): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([key, text]): [string, string][] =>
      weightOf(text) === undefined ? [[key, NOT_A_WEIGHT]] : [],
    ),
  );

/** The settings that a draft comes to; what is no number keeps what it was. */
export const settingsOf = (draft: SettingsDraft, stored: PrioritySettings): PrioritySettings => {
  const of = (group: Parameters<typeof fieldKey>[0], names: object): Record<string, number | undefined> =>
    Object.fromEntries(Object.keys(names).map((name) => [name, weightOf(draft.texts[fieldKey(group, name)])]));
  const change: PrioritySettingsChange = {
    toggle: draft.toggle,
    industryStandardFrameworks: of('industryStandardFrameworks', stored.industryStandardFrameworks),
    complianceFrameworks: of('complianceFrameworks', stored.complianceFrameworks),
    exploitabilityFactors: of('exploitabilityFactors', stored.exploitabilityFactors),
    impactOnCriticalSystems: of('impactOnCriticalSystems', stored.impactOnCriticalSystems),
    complianceStandars: of('complianceStandars', stored.complianceStandars),
  };
  return changedSettings(stored, change);
};

interface Words {
  label: string;
  help: string | (() => string);
}

const CONCERN_WORDS: Readonly<Record<Concern, string>> = {
  owasp: msg('classes of the OWASP Top 10'),
  weakness: msg('code weaknesses'),
  component: msg('vulnerable components'),
  configuration: msg('configuration'),
  secret: msg('secrets'),
  malware: msg('malware'),
  pipeline: msg('CI/CD and supply chain'),
};

/** "Code weaknesses, secrets." */
const covered = (key: StandardKey): string => {
  const text = STANDARDS[key].covers.map((concern) => t(CONCERN_WORDS[concern])).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};
const framework = (name: 'iso' | 'nist' | 'soc', label: string): Words => ({
  label,
  help: () => covered(`complianceFrameworks.${name}`),
});
const standard = (
  name: 'pciDss4' | 'pciDss3' | 'dora' | 'cisBenchmarks' | 'soc2' | 'iso' | 'nist',
  label: string,
): Words => ({ label, help: () => covered(`complianceStandars.${name}`) });

/** Sections of the form, in their order, with what each number means. */
export const SECTIONS: readonly {
  group: SettingGroup;
  title: string;
  intro: string;
  fields: Readonly<Record<string, Words>>;
}[] = [
  {
    group: 'industryStandardFrameworks',
    title: msg('Industry standards'),
    intro: msg('How severe the finding is by itself.'),
    fields: {
      cvss: { label: msg('CVSS'), help: msg('Base score of the report; where there is none, the severity.') },
      cwe: { label: msg('CWE'), help: msg('The weakness is of a class of the OWASP Top 10. Part of compliance.') },
    },
  },
  {
    group: 'exploitabilityFactors',
    title: msg('Exploitability'),
    intro: msg('Whether somebody exploits it, will, or could.'),
    fields: {
      activeExploits: {
        label: msg('Active exploits'),
        help: msg('In the catalogue of known exploited vulnerabilities (CISA KEV).'),
      },
      easeExploitation: {
        label: msg('Ease of exploitation'),
        help: msg('Reached from the network without sign-in, a secret in the open, or often exploited weaknesses.'),
      },
      epss: { label: msg('EPSS'), help: msg('Predicted probability of an exploit within 30 days.') },
    },
  },
  {
    group: 'impactOnCriticalSystems',
    title: msg('Impact on critical systems'),
    intro: msg('What the application holds and who reaches it, as set for the repository.'),
    fields: {
      vulnSensitiveData: { label: msg('Sensitive data'), help: msg('Sensitive data in full, business data by half.') },
      vulnImpactingCriticalData: {
        label: msg('Critical systems in reach'),
        help: msg('Open to the internet in full, internal by a third.'),
      },
    },
  },
  {
    group: 'complianceFrameworks',
    title: msg('Compliance frameworks'),
    intro: msg('A finding counts for each framework that speaks of its kind.'),
    fields: {
      iso: framework('iso', 'ISO/IEC 27001'),
      nist: framework('nist', 'NIST CSF 2.0'), // no text: the name of a standard
      soc: framework('soc', 'SOC 1'),
    },
  },
  {
    group: 'complianceStandars',
    title: msg('Compliance standards'),
    intro: msg('A finding counts for each standard that speaks of its kind.'),
    fields: {
      pciDss4: standard('pciDss4', 'PCI DSS 4'), // no text: the name of a standard
      pciDss3: standard('pciDss3', 'PCI DSS 3.2.1'), // no text: the name of a standard
      dora: standard('dora', 'DORA'),
      cisBenchmarks: standard('cisBenchmarks', 'CIS Benchmarks'), // no text: the name of a standard
      soc2: standard('soc2', 'SOC 2'),
      iso: standard('iso', 'ISO/IEC 27034'),
      nist: standard('nist', 'NIST SSDF (SP 800-218)'), // no text: the name of a standard
    },
  },
];

/** Names of the parts, as "why this score" shows them. */
export const PART_WORDS = {
  severity: msg('Severity'),
  known_exploited: msg('Known exploited'),
  epss: msg('EPSS'),
  exploitability: msg('Ease of exploitation'),
  data: msg('Sensitive data in reach'),
  compliance: msg('Compliance'),
} as const;

/** Id of a field's control, and its key. */
export const fieldKey = (group: SettingGroup, name: string): string => `${group}-${name}`;

/** "EPSS: " before a error of that field; nothing for what is no number. */
export const fieldLabel = (key: string): string => {
  for (const { group, fields } of SECTIONS) {
    const found = Object.entries(fields).find(([name]) => fieldKey(group, name) === key);
    if (found !== undefined) return `${t(found[1].label)}: `;
  }
  return '';
};
