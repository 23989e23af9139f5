import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from './envelope.ts';

/** What its provider was told of the commit of a scan. Source: specification §7 (`pipeline_integration`). */
export const CommitStatusOfScan = Type.Object({
  /** As it stands at the provider; null where nothing could be set yet. */
  state: Nullable(OneOf(['pending', 'success', 'failure'])),
  /** Why the last try failed, for people. */
  problem: Nullable(Type.String()),
  /** Page of the comment on the pull request. */
  comment_url: Nullable(Type.String()),
});
export type CommitStatusOfScan = Static<typeof CommitStatusOfScan>;
