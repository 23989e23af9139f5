import { manifestOfDocument } from '@breakwater/sdk/declarative';
import { addedId } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import { isSameHosts } from '../model/document-rules.ts';
import { readPublication } from './publications.ts';
import './tables.ts';

export interface Addition {
  clientId: string;
  publicationId: string;
  /** What the admin approved. */
  hosts: readonly string[];
}

const refuseOtherHosts = (approved: readonly string[], wanted: readonly string[]): void => {
  if (isSameHosts(approved, wanted)) return;
  throw new AppError(
    'conflict',
    say('The connector talks to {hosts}, which is not what was approved. Read it anew, and approve exactly that.', {
      hosts: wanted.length === 0 ? 'no host' : wanted.join(', '),
    }),
  );
};

/**
 * Takes the newest version, in place of an older one that is there. @throws published_connector_not_found; conflict where it asks for other hosts
 * than were approved, or is not offered any more
 */
export const addConnector = async (db: Db, { clientId, publicationId, hosts }: Addition) => {
  const { attributes } = await readPublication(db, clientId, publicationId);
  if (attributes.state !== 'published')
    throw new AppError('conflict', say('{title} is not offered any more.', { title: attributes.title }));
  const {
    number,
    version,
    document,
    hosts: wanted,
  } = await db
    .selectFrom('published_connectors as p')
    .innerJoin('published_connector_versions as v', (join) =>
      join.onRef('v.publication_id', '=', 'p.id').onRef('v.number', '=', 'p.newest'),
    )
    .select(['v.number', 'v.version', 'v.document', 'v.hosts'])
    .where('p.id', '=', publicationId)
    .executeTakeFirstOrThrow();
  refuseOtherHosts(hosts, wanted);
  const id = addedId(clientId, publicationId);
  const taken = {
    number,
    version,
    publisher: attributes.publisher.name,
    document: JSON.stringify(document),
    hosts: wanted,
    brings_findings: typeof document === 'object' && document !== null && 'findings' in document,
  };
  await db
    .insertInto('added_connectors')
    .values({ client_id: clientId, id, publication_id: publicationId, ...taken })
    .onConflict((conflict) => conflict.columns(['client_id', 'id']).doUpdateSet(taken))
    .execute();
  return { connector: id, version, title: attributes.title };
};

/** @throws published_connector_not_found; conflict while something is stored for it */
export const dropConnector = async (db: Db, clientId: string, publicationId: string): Promise<string> => {
  const id = addedId(clientId, publicationId);
  const added = await db
    .selectFrom('added_connectors')
    .select(['id', 'document'])
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (added === undefined) throw new AppError('published_connector_not_found');
  const stored = await db
    .selectFrom('connections')
    .select('state')
    .where('client_id', '=', clientId)
    .where('connector_id', '=', id)
    .executeTakeFirst();
  const title = manifestOfDocument(added.document).connectors[0]?.title ?? id;
  if (stored !== undefined && stored.state !== 'absent') {
    throw new AppError(
      'conflict',
      say('{title} is still connected: remove its connection on its card first.', { title }),
    );
  }
  await db.deleteFrom('added_connectors').where('client_id', '=', clientId).where('id', '=', id).execute();
  return title;
};

/** One that an organisation added, as the catalogue takes it. */
export interface AddedDocument {
  id: string;
  number: number;
  publisher: string;
  /** Why it was revoked, empty for no reason; null while it was not. */
  revoked: string | null;
}

/** What an organisation added. In a transaction of it. */
export const readAdded = async (db: Db, clientId: string): Promise<AddedDocument[]> => {
  const rows = await db
    .selectFrom('added_connectors as a')
    .leftJoin('published_connectors as p', 'p.id', 'a.publication_id')
    .select(['a.id', 'a.number', 'a.publisher', 'p.state', 'p.reason'])
    .where('a.client_id', '=', clientId)
    .orderBy('a.id')
    .execute();
  return rows.map(({ id, number, publisher, state, reason }) => ({
    ...{ id, number, publisher },
    revoked: state === 'revoked' ? (reason ?? '') : null,
  }));
};

/** `connector.json` of one of them. */
export const readAddedDocument = async (db: Db, clientId: string, id: string): Promise<unknown> => {
  const row = await db
    .selectFrom('added_connectors')
    .select('document')
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.document;
};
