import type { FindingStatus } from './states.ts';

/** How a finding is being fixed. Source: decisions.md "States". */
export const REMEDIATION_TYPES = ['pull_request', 'issue'] as const;
export type RemediationType = (typeof REMEDIATION_TYPES)[number];

/** The states in which a finding has a remediation of each type: its status says what was opened for it. */
export const STATUSES_OF_REMEDIATION: Readonly<Record<RemediationType, readonly FindingStatus[]>> = {
  pull_request: ['pr_submitted', 'pr_accepted'],
  issue: ['issued'],
};

/** What removes a finding: a newer version is known, none is known yet, or code or configuration has to change. */
export const MITIGATIONS = ['update', 'no_fix', 'change'] as const;
