import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** An issue of `-f json`. Source: DevSkim's Writers/JsonWriter.cs; the names in use depend on a format string. */
export const Issue = Type.Object({ rule_id: Type.String({ minLength: 1 }), filename: Type.Optional(Type.Unknown()) });
export type Issue = Static<typeof Issue>;
export const issueCheck = recordCheck(Issue);
