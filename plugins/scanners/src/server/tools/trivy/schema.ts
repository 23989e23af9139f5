import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** Records of a Trivy target. Source: trivy pkg/types, schema versions 1 (a bare list) and 2. */
export const Vulnerability = Type.Object({ VulnerabilityID: Type.String({ minLength: 1 }) });
export type Vulnerability = Static<typeof Vulnerability>;
export const vulnerabilityCheck = recordCheck(Vulnerability);

export const Misconfiguration = Type.Object({ ID: Type.String({ minLength: 1 }) });
export type Misconfiguration = Static<typeof Misconfiguration>;
export const misconfigurationCheck = recordCheck(Misconfiguration);

/** Secrets and licences may lack every field; where they stand says what they are. */
export const AnyRecord = Type.Object({});
export type AnyRecord = Static<typeof AnyRecord>;
export const anyRecordCheck = recordCheck(AnyRecord);

/** A finding taken out by a VEX document or an ignore file, kept with `--show-suppressed`. */
export const ModifiedFinding = Type.Object({ Type: Type.String(), Finding: Type.Object({}) });
export type ModifiedFinding = Static<typeof ModifiedFinding>;
export const modifiedFindingCheck = recordCheck(ModifiedFinding);

/** A workload of a cluster report of 2022, with its targets inside. */
export const Workload = Type.Object({ Results: Type.Array(Type.Object({})) });
export type Workload = Static<typeof Workload>;
export const workloadCheck = recordCheck(Workload);
