import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** One element of `queries[].files`. Source: kics pkg/model/summary.go, versions 1.0 to 2.1. */
export const VulnerableFile = Type.Object({ file_name: Type.String() });
export type VulnerableFile = Static<typeof VulnerableFile>;
export const vulnerableFileCheck = recordCheck(VulnerableFile);
