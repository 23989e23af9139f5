import { type MergeContext, run } from './merge-context.ts';

/** A rule's policy, once for all its findings, so that lists can be filtered by it. The newest report's word counts. */
const KEEP_POLICIES = `
  update finding_definitions t set policy = s.policy
  from stage_policies s join stage_definitions u on u.n = s.definition_n
  where t.client_id = $1 and t.id = u.id and t.policy is distinct from s.policy`;

/** Stores what the report says about the policies behind its rules. */
export const mergePolicies = async (context: MergeContext): Promise<void> => {
  await run(context, KEEP_POLICIES, [context.clientId]);
};
