import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String();

/** A result of version 3. Source: trufflehog pkg/output/json.go. */
const Result = Type.Object({ DetectorName: Text, SourceMetadata: Type.Optional(Type.Unknown()) });
/** An issue of version 2, of `--json-legacy`, and of trufflehog3 until 2.x: one per kind of secret in one change of a file. */
const Issue = Type.Object({ reason: Text, path: Text });
/** An issue of trufflehog3 3.x. */
const CurrentIssue = Type.Object({ rule: Type.Object({}), path: Text, secret: Type.Optional(Type.Unknown()) });
/** A line of the log, where both outputs went to one file. */
const LogLine = Type.Object({ logger: Type.Literal('trufflehog'), msg: Text });

export const TruffleHogRecord = Type.Union([Result, Issue, CurrentIssue, LogLine]);
export type TruffleHogRecord = Static<typeof TruffleHogRecord>;
export const trufflehogCheck = recordCheck(TruffleHogRecord);
