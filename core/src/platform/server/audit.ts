import type { IncomingMessage } from 'node:http';
import type { Generated, JSONColumnType } from 'kysely';
import type { ActorType, AuditKind } from '../model/audit-kinds.ts';
import { visibleText } from '../model/visible-text.ts';
import type { Db } from './database.ts';
import { languageOfHeader } from './languages.ts';

/** Of an entry, what the kind does not say; never a secret. Values longer than a line are cut. */
export type AuditDetails = Record<string, string | number | boolean | readonly string[] | null>;

interface AuditEntriesTable {
  client_id: string;
  /** In order of time. */
  id: Generated<string>;
  at: Generated<Date>;
  kind: string;
  actor_id: string | null;
  /** As they were called then. */
  actor: string;
  actor_type: ActorType;
  address: string | null;
  agent: string | null;
  subject: string;
  details: JSONColumnType<AuditDetails>;
}

declare module './database.ts' {
  interface Database {
    /** @writable by audit */
    audit_entries: AuditEntriesTable;
  }
}

/** Where a request comes from. */
export interface RequestOrigin {
  /** Of the network; X-Forwarded-For counts only behind a configured proxy. */
  address: string;
  /** As the program names itself. */
  agent: string;
  /** The language that the browser asks for and there are tables for; null where it asks for none. */
  language: string | null;
}

const MAX_AGENT = 400;
const MAX_TEXT = 500;
/** Room for a filter of many words. */
const MAX_PATH = 4000;

/** Where a request comes from, as it is kept. */
export const originOf = (request: Pick<IncomingMessage, 'headers'>, address: string): RequestOrigin => ({
  address,
  agent: visibleText(request.headers['user-agent'] ?? '').slice(0, MAX_AGENT),
  language: languageOfHeader(request.headers['accept-language']),
});

export interface AuditActor {
  type: ActorType;
  id: string | null;
  name: string;
}

/** Who runs the installation, with a command of the server's machine. */
export const OPERATOR: AuditActor = { type: 'operator', id: null, name: 'Operator of the installation' };

/** Who did it: a person, a machine by its token, or a person by theirs. */
export const actorOf = (caller: {
  userId: string;
  username: string;
  /** Set for a token. */
  tokenScopes?: readonly string[];
  /** Its name, where it is a person's. */
  personalToken?: string;
}): AuditActor => ({
  type: caller.tokenScopes === undefined ? 'person' : 'token',
  id: caller.userId,
  name: caller.personalToken === undefined ? caller.username : `${caller.personalToken} of ${caller.username}`,
});

export interface NewAuditEntry {
  clientId: string;
  kind: AuditKind;
  actor: AuditActor;
  /** Undefined for work that no request asked for. */
  origin: RequestOrigin | undefined;
  /** What or whom it is about, as people call it. */
  subject?: string;
  details?: AuditDetails;
}

const clipped = (value: AuditDetails[string], key: string): AuditDetails[string] => {
  const limit = key === 'path' ? MAX_PATH : MAX_TEXT;
  if (typeof value === 'string') return value.replaceAll('\0', '').slice(0, limit);
  if (value === null || typeof value !== 'object') return value;
  return value.slice(0, 100).map((one) => one.replaceAll('\0', '').slice(0, MAX_TEXT));
};

/** Writes down what was done, in the transaction that does it. In `forClient`, or in `forIdentity` where nobody is signed in yet. */
export const recordAudit = async (db: Db, entry: NewAuditEntry): Promise<void> => {
  const { clientId, kind, actor, origin, subject = '', details = {} } = entry;
  const stored = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, clipped(value, key)]));
  await db
    .insertInto('audit_entries')
    .values({
      client_id: clientId,
      kind,
      actor_id: actor.id,
      actor: actor.name,
      actor_type: actor.type,
      address: origin?.address ?? null,
      agent: origin?.agent ?? null,
      subject: subject.replaceAll('\0', '').slice(0, MAX_TEXT),
      details: JSON.stringify(stored),
    })
    .execute();
};
