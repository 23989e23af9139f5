import { FINDING_STATUSES, type FindingStatus } from '../../findings/model/states.ts';

/**
 * How far the remediation of a finding is, told from its status: an action plan exists from `pending_input` on, and is ready
 * in `ready`. What is mitigated without one counts as without. Source: decisions.md "States".
 */
export const WITH_PLAN: readonly FindingStatus[] = ['pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted'];
export const WITHOUT_PLAN: readonly FindingStatus[] = FINDING_STATUSES.filter((status) => !WITH_PLAN.includes(status));
export const READY: readonly FindingStatus[] = ['ready'];
