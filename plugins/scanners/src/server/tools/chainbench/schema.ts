import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of `results`. Source: chain-bench internal/checker/checkmodels. */
export const Result = Type.Object({ id: Text, result: Text });
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);
