import { eventKind } from './live-events.ts';

/** An import changed findings or components of the organisation: lists, counts and charts read again. */
export const FINDINGS_IMPORTED = eventKind<Record<string, unknown>>('findings.imported');
/** A verdict, status or owner of one finding changed. */
export const FINDING_CHANGED = eventKind<{ finding_id: string }>('finding.changed');
export const REPOSITORY_ADDED = eventKind<{ repository_id: string }>('repository.added');
/** A repository went with all that was in it. */
export const REPOSITORY_REMOVED = eventKind<{ repository_id: string }>('repository.removed');

/** Everything after which a count of findings may differ. */
export const FINDINGS_EVENTS = [FINDINGS_IMPORTED, FINDING_CHANGED, REPOSITORY_REMOVED] as const;
/** Everything after which the repositories or their counts may differ. */
export const REPOSITORY_EVENTS = [...FINDINGS_EVENTS, REPOSITORY_ADDED] as const;
/** Everything after which the inventory may differ. */
export const INVENTORY_EVENTS = [FINDINGS_IMPORTED, REPOSITORY_REMOVED] as const;
