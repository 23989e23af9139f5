import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** An element of the list. Source: hadolint Formatter/Json.hs, versions 1.0 to 2.14; the level came with 1.17. */
export const Failure = Type.Object({ code: Type.String({ minLength: 1 }), message: Type.Optional(Type.Unknown()) });
export type Failure = Static<typeof Failure>;
export const failureCheck = recordCheck(Failure);
