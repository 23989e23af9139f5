import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });
const Status = Type.Union([Text, Type.Number()]);

/** A result. Source: cloudsploit postprocess/output.js; a row of the CSV calls the status `statusWord` and has no plugin. */
export const Result = Type.Union([
  Type.Object({ plugin: Text, status: Status }),
  Type.Object({ title: Text, status: Status }),
  Type.Object({ title: Text, statusWord: Text }),
]);
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);
