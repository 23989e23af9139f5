import type { PriorityPartKey } from '../parts.ts';

/**
 * What each setting weighs: the part of the priority that its number adds to. Groups, names and the spelling "Standars" are the
 * specification's (§3 "Prioritisation settings").
 */
export const PART_OF_SETTING = {
  industryStandardFrameworks: { cvss: 'severity', cwe: 'compliance' },
  complianceFrameworks: { iso: 'compliance', nist: 'compliance', soc: 'compliance' },
  exploitabilityFactors: { activeExploits: 'known_exploited', easeExploitation: 'exploitability', epss: 'epss' },
  impactOnCriticalSystems: { vulnSensitiveData: 'data', vulnImpactingCriticalData: 'data' },
  complianceStandars: {
    pciDss4: 'compliance',
    pciDss3: 'compliance',
    dora: 'compliance',
    cisBenchmarks: 'compliance',
    soc2: 'compliance',
    iso: 'compliance',
    nist: 'compliance',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, PriorityPartKey>>>>;

export type SettingGroup = keyof typeof PART_OF_SETTING;
export type SettingName<G extends SettingGroup> = keyof (typeof PART_OF_SETTING)[G];

/** Numbers of a group: 0 (does not count) to 100. Only their proportion matters. */
export type GroupWeights<G extends SettingGroup> = { readonly [name in SettingName<G>]: number };

/** How an organisation weighs what a priority rests on. */
export type PrioritySettings = {
  /** Off: the product's own weights hold; the numbers are kept. */
  readonly toggle: boolean;
} & { readonly [group in SettingGroup]: GroupWeights<group> };

/** Some of the settings; what is absent stays as it is. */
export type PrioritySettingsChange = { readonly toggle?: boolean | undefined } & {
  readonly [group in SettingGroup]?: { readonly [name in SettingName<group>]?: number | undefined } | undefined;
};

/** What the product begins with: the numbers are the points of the default weights. */
export const DEFAULT_SETTINGS: PrioritySettings = {
  toggle: false,
  industryStandardFrameworks: { cvss: 40, cwe: 5 },
  complianceFrameworks: { iso: 0, nist: 0, soc: 0 },
  exploitabilityFactors: { activeExploits: 25, easeExploitation: 10, epss: 15 },
  impactOnCriticalSystems: { vulnSensitiveData: 2, vulnImpactingCriticalData: 3 },
  complianceStandars: { pciDss4: 0, pciDss3: 0, dora: 0, cisBenchmarks: 0, soc2: 0, iso: 0, nist: 0 },
};

/** The settings with a change laid over them. */
export const changedSettings = (settings: PrioritySettings, change: PrioritySettingsChange): PrioritySettings => ({
  toggle: change.toggle ?? settings.toggle,
  industryStandardFrameworks: merged(settings.industryStandardFrameworks, change.industryStandardFrameworks),
  complianceFrameworks: merged(settings.complianceFrameworks, change.complianceFrameworks),
  exploitabilityFactors: merged(settings.exploitabilityFactors, change.exploitabilityFactors),
  impactOnCriticalSystems: merged(settings.impactOnCriticalSystems, change.impactOnCriticalSystems),
  complianceStandars: merged(settings.complianceStandars, change.complianceStandars),
});

const merged = <T extends object>(
  stored: T,
  change: { readonly [name in keyof T]?: T[name] | undefined } | undefined,
): T => ({
  ...stored,
  // what is named but undefined would take a weight away
  ...Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)),
});

/** Every number with its place. */
export const settingEntries = (
  settings: PrioritySettings,
): { group: SettingGroup; name: string; part: PriorityPartKey; weight: number }[] => {
  const of = (group: SettingGroup, weights: Readonly<Record<string, number>>) => {
    const parts: Readonly<Record<string, PriorityPartKey>> = PART_OF_SETTING[group];
    return Object.entries(parts).map(([name, part]) => ({ group, name, part, weight: weights[name] ?? 0 }));
  };
  return [
    ...of('industryStandardFrameworks', settings.industryStandardFrameworks),
    ...of('complianceFrameworks', settings.complianceFrameworks),
    ...of('exploitabilityFactors', settings.exploitabilityFactors),
    ...of('impactOnCriticalSystems', settings.impactOnCriticalSystems),
    ...of('complianceStandars', settings.complianceStandars),
  ];
};

/** Own settings that weigh nothing at all would give every finding 0. */
export const weighNothing = (settings: PrioritySettings): boolean =>
  settings.toggle && settingEntries(settings).every(({ weight }) => weight === 0);

/** Whether two settings say the same, also where it has no effect. */
export const isSameSettings = (one: PrioritySettings, other: PrioritySettings): boolean =>
  one.toggle === other.toggle &&
  settingEntries(one).every(({ weight }, index) => weight === settingEntries(other)[index]?.weight);
