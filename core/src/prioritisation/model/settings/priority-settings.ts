import { type TSchema, Type } from 'typebox';

/** Parts of the priority score that have a weight, in the order of display. */
export const WEIGHTED_PARTS = ['severity', 'known_exploited', 'epss', 'exploitability', 'data', 'compliance'] as const;
export type WeightedPart = (typeof WEIGHTED_PARTS)[number];

/** The points that each can give at default weights. They add up to 100. */
export const PRIORITY_PARTS = {
  severity: 40,
  known_exploited: 25,
  epss: 15,
  exploitability: 10,
  data: 5,
  compliance: 5,
} as const satisfies Readonly<Record<WeightedPart, number>>;
export type PriorityPartKey = WeightedPart | 'floor' | 'tie_break';

/** Points that add up, without what binary fractions leave over. */
export const sumOfPoints = (points: readonly number[]): number =>
  Math.round(points.reduce((sum, one) => sum + one, 0) * 1000) / 1000;

/** One addend of a priority. All parts of a finding add up to its priority. */
export interface PriorityPart {
  key: PriorityPartKey;
  /** Points given; whole number, for `tie_break` thousandths below 1. */
  points: number;
  /** Points possible; for `floor` what was missing up to the floor, for `tie_break` the point that it stays below. */
  of: number;
  /** What the points rest on: "CVSS 7.5", "EPSS above 99%, 22 Aug 2026". */
  reason: string;
}

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

const Weight = Type.Integer({ minimum: 0, maximum: 100 });

/** Names of each group, in the order of the specification. */
const NAMES = {
  industryStandardFrameworks: { cvss: Weight, cwe: Weight },
  complianceFrameworks: { iso: Weight, nist: Weight, soc: Weight },
  exploitabilityFactors: { activeExploits: Weight, easeExploitation: Weight, epss: Weight },
  impactOnCriticalSystems: { vulnSensitiveData: Weight, vulnImpactingCriticalData: Weight },
  complianceStandars: {
    pciDss4: Weight,
    pciDss3: Weight,
    dora: Weight,
    cisBenchmarks: Weight,
    soc2: Weight,
    iso: Weight,
    nist: Weight,
  },
} as const;

const STRICT = { additionalProperties: false } as const;
const strict = <const T extends Record<string, TSchema>>(names: T) => Type.Object(names, STRICT);
const partial = <const T extends Record<string, TSchema>>(names: T) =>
  Type.Optional(Type.Partial(Type.Object(names), STRICT));

/** All settings. Weights are whole numbers from 0 to 100. Source: specification §3 "Prioritisation settings". */
export const settingsFields = {
  /** Off: the product's own weights hold; the numbers are kept. */
  toggle: Type.Boolean(),
  industryStandardFrameworks: strict(NAMES.industryStandardFrameworks),
  complianceFrameworks: strict(NAMES.complianceFrameworks),
  exploitabilityFactors: strict(NAMES.exploitabilityFactors),
  impactOnCriticalSystems: strict(NAMES.impactOnCriticalSystems),
  complianceStandars: strict(NAMES.complianceStandars),
};

/** Some of them, for a change: what is absent stays. */
export const settingsChangeFields = {
  toggle: Type.Optional(Type.Boolean()),
  industryStandardFrameworks: partial(NAMES.industryStandardFrameworks),
  complianceFrameworks: partial(NAMES.complianceFrameworks),
  exploitabilityFactors: partial(NAMES.exploitabilityFactors),
  impactOnCriticalSystems: partial(NAMES.impactOnCriticalSystems),
  complianceStandars: partial(NAMES.complianceStandars),
};

/** What `priority_settings.settings` holds. */
export const StoredSettings = Type.Object(settingsFields);
