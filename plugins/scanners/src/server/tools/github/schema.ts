import { Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** An alert of code scanning. Source: GitHub REST API 2022-11-28, "List code scanning alerts". */
export const codeAlertCheck = recordCheck(
  Type.Object({ rule: Type.Object({ id: Type.Optional(Type.Unknown()) }), tool: Type.Object({}) }),
);

/** An alert of secret scanning. Source: GitHub REST API 2022-11-28, "List secret scanning alerts". */
export const secretAlertCheck = recordCheck(Type.Object({ secret_type: Text }));
