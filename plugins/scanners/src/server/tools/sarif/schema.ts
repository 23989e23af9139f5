import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** A `result`. Source: SARIF 2.1.0 §3.27. Tools leave out nearly everything, rule id and message included. */
export const Result = Type.Object({
  ruleId: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  locations: Type.Optional(Type.Unknown()),
});
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);
