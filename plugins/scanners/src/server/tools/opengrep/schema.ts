import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/**
 * One element of `results`. Source: semgrep_output_v1.atd of Semgrep 0.x-1.9x, which OpenGrep keeps; `extra` has grown
 * with every version, so only rule and path must be there.
 */
export const Result = Type.Object({
  check_id: Type.String({ minLength: 1 }),
  path: Type.String(),
  start: Type.Optional(Type.Unknown()),
  end: Type.Optional(Type.Unknown()),
  extra: Type.Optional(Type.Unknown()),
});
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);

/** One element of `vulns`: the supply-chain export of the vendor's platform. */
export const SupplyChainVulnerability = Type.Object({
  advisory: Type.Object({ ruleId: Type.String({ minLength: 1 }) }),
  title: Type.Optional(Type.Unknown()),
  matchedDependency: Type.Optional(Type.Unknown()),
  dependencyFileLocation: Type.Optional(Type.Unknown()),
  closestSafeDependency: Type.Optional(Type.Unknown()),
  triage: Type.Optional(Type.Unknown()),
  openedAt: Type.Optional(Type.Unknown()),
  exposureType: Type.Optional(Type.Unknown()),
  transitivity: Type.Optional(Type.Unknown()),
});
export type SupplyChainVulnerability = Static<typeof SupplyChainVulnerability>;
export const vulnerabilityCheck = recordCheck(SupplyChainVulnerability);
