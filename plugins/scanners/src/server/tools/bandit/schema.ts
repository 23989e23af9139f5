import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/**
 * One element of `results`, or a row of the CSV, whose columns have the same names. Source: bandit/core/issue.py, versions 1.0
 * to 1.8; `test_id` came with 1.1, `issue_cwe` with 1.7.3.
 */
export const Issue = Type.Object({ filename: Type.String(), test_name: Type.String({ minLength: 1 }) });
export type Issue = Static<typeof Issue>;
export const issueCheck = recordCheck(Issue);
