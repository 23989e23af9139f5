import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of `results.violations`. Source: terrascan pkg/results/types.go, versions 1.0 to 1.19. */
export const Violation = Type.Union([Type.Object({ rule_id: Text }), Type.Object({ rule_name: Text })]);
export type Violation = Static<typeof Violation>;
export const violationCheck = recordCheck(Violation);
