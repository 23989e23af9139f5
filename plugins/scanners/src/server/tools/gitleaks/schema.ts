import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String();

/** A finding of Gitleaks 8. Source: gitleaks report/finding.go. */
export const Finding = Type.Object({ RuleID: Text, File: Text });
/** A leak of Gitleaks 4 to 7. Source: gitleaks v7 scan/leak.go; v4 writes the same without `leakURL`. */
export const Leak = Type.Object({ rule: Text, file: Text });

export const GitleaksRecord = Type.Union([Finding, Leak]);
export type GitleaksRecord = Static<typeof GitleaksRecord>;
export const gitleaksCheck = recordCheck(GitleaksRecord);
