import type { ChannelMessage } from '@breakwater/sdk';
import type { Db } from '../../../platform/server/database.ts';

/** A service whose channel can be told what happens, and how its connection stands. */
export interface Channel {
  connectorId: string;
  title: string;
  /** Address of its card in the catalogue. */
  address: string;
  /** What people call the channel; null where nothing is connected. */
  name: string | null;
  isConfigured: boolean;
  /** Why it cannot be used now, for people; null where it can. */
  problem: string | null;
}

/** What came of one attempt. */
export type SendResult =
  | { outcome: 'sent' }
  /** There is no connection any more, so nobody to tell. */
  | { outcome: 'gone' }
  /** The service will never take it. */
  | { outcome: 'refused'; reason: string }
  /** It may be taken later. `isAttempt`: the service was asked and failed; else something stands in the way that says nothing of the message. */
  | { outcome: 'later'; reason: string; isAttempt: boolean; afterMs?: number };

/** Channels of services, as the connectors offer them (`createChannels` of connectors). */
export interface Channels {
  list(db: Db, clientId: string): Promise<Channel[]>;
  /** @throws connector_not_found, where it is no channel */
  find(db: Db, of: { clientId: string; connectorId: string }): Promise<{ title: string }>;
  /** Sends one message, at most 15 s, outside any transaction. */
  send(of: { clientId: string; connectorId: string }, message: ChannelMessage): Promise<SendResult>;
}
