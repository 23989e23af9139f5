import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/**
 * One element of `results.failed_checks`. Source: checkov/common/output/record.py, versions 1.0 to 3.2; what is beside the id has
 * grown with every version.
 */
export const FailedCheck = Type.Object({
  check_id: Type.String({ minLength: 1 }),
  check_name: Type.Optional(Type.Unknown()),
  file_path: Type.Optional(Type.Unknown()),
  resource: Type.Optional(Type.Unknown()),
});
export type FailedCheck = Static<typeof FailedCheck>;
export const failedCheck = recordCheck(FailedCheck);
