import { type TSchema, Type } from 'typebox';

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
