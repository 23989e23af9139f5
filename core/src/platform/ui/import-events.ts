import { eventKind } from './live-events.ts';

/** An import changed findings or components of the organisation: lists, counts and charts read again. */
export const FINDINGS_IMPORTED = eventKind<Record<string, unknown>>('findings.imported');
