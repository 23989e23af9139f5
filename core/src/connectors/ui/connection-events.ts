import { eventKind } from '../../platform/ui/live-events.ts';

/** The state of a connection or a switch changed. */
export const CONNECTION_CHANGED = eventKind<{ connector_id: string }>('connection.changed');
