import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of `issues`. Source: tflint formatter/json.go, versions 0.8 to 0.59. */
const Issue = Type.Object({ rule: Type.Object({ name: Text }), message: Type.Optional(Type.Unknown()) });
/** An element of the list that versions before 0.8 wrote. */
const EarlyIssue = Type.Object({ detector: Text, file: Type.Optional(Type.Unknown()) });

export const TflintIssue = Type.Union([Issue, EarlyIssue]);
export type TflintIssue = Static<typeof TflintIssue>;
export const issueCheck = recordCheck(TflintIssue);
