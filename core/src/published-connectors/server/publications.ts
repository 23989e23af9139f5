import { sql } from 'kysely';
import { isOlder } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { type Db, likePattern } from '../../platform/server/database.ts';
import { pageMeta } from '../../platform/server/paging.ts';
import type { PublishedConnector } from '../api/routes.ts';
import { SENDINGS, type Sending, type Visibility } from '../model/publication.ts';
import type { CheckedDocument, ConnectorFiles } from './check-document.ts';
import './tables.ts';

const DEFAULT_PAGE_SIZE = 50;

export interface PublishedItem {
  _id: string;
  attributes: PublishedConnector;
}

/** More than any organisation writes; a list of them is read whole nowhere. */
const MOST_PUBLICATIONS = 200;
const MOST_VERSIONS = 500;

/** What of `actions` a document has. */
const sendingsOf = (document: 'v.document' | 'a.document') =>
  sql<Sending[]>`array_remove(array[${sql.join(
    SENDINGS.map(
      (one) => sql`case when ${sql.ref(document)}->'actions'->${sql.lit(one)} is not null then ${sql.lit(one)} end`,
    ),
  )}], null)`;

/** A publication with its newest version, its publisher and what the client added of it. Row-level security keeps out what is not for it. */
const publications = (db: Db, clientId: string) =>
  db
    .selectFrom('published_connectors as p')
    .innerJoin('published_connector_versions as v', (join) =>
      join.onRef('v.publication_id', '=', 'p.id').onRef('v.number', '=', 'p.newest'),
    )
    .leftJoin('verified_publishers as k', (join) =>
      join.onRef('k.client_id', '=', 'p.client_id').onRef('k.name', '=', 'p.publisher'),
    )
    .leftJoin('added_connectors as a', (join) =>
      join.onRef('a.publication_id', '=', 'p.id').on('a.client_id', '=', clientId),
    )
    .select((eb) => [
      'p.id',
      'p.title',
      'p.category',
      'p.description',
      'p.visibility',
      'p.state',
      'p.reason',
      'p.client_id',
      'v.version',
      'v.hosts',
      'v.published_at',
      'p.publisher',
      'a.id as added_id',
      'a.version as added_version',
      'a.hosts as added_hosts',
      sendingsOf('v.document').as('sends'),
      sendingsOf('a.document').as('added_sends'),
      eb('k.client_id', 'is not', null).as('is_verified'),
    ])
    // published for all, of the client, or added by it: what was taken away shows only to who has it
    .where((eb) =>
      eb.or([
        eb('p.state', '=', 'published'),
        eb('p.client_id', '=', clientId),
        eb('a.id', 'is not', null),
        eb(sql<string>`current_setting('app.identity', true)`, '=', 'on'),
      ]),
    )
    // whoever runs the installation sees what all see, also once it is revoked, and nothing private
    .where((eb) =>
      eb.or([eb('p.visibility', '=', 'public'), eb('p.client_id', '=', clientId), eb('a.id', 'is not', null)]),
    );

type PublicationRow = Awaited<ReturnType<ReturnType<typeof publications>['executeTakeFirstOrThrow']>>;

const itemOf = (row: PublicationRow, clientId: string): PublishedItem => ({
  _id: row.id,
  attributes: {
    title: row.title,
    category: row.category,
    description: row.description,
    publisher: { name: row.publisher, verified: Boolean(row.is_verified) },
    visibility: row.visibility,
    state: row.state,
    reason: row.reason,
    version: row.version,
    published_at: row.published_at.toISOString(),
    hosts: row.hosts,
    sends: row.sends,
    is_own: row.client_id === clientId,
    added:
      row.added_id === null || row.added_version === null || row.added_hosts === null
        ? null
        : { connector: row.added_id, version: row.added_version, hosts: row.added_hosts, sends: row.added_sends },
  },
});

export interface PublicationQuery {
  clientId: string;
  /** 0-based. */
  page?: number | undefined;
  pageSize?: number | undefined;
  search?: string | undefined;
}

/** By title. Index of what is public: published_connectors_public. */
export const listPublications = async (
  db: Db,
  { clientId, page = 0, pageSize = DEFAULT_PAGE_SIZE, search = '' }: PublicationQuery,
) => {
  const pattern = likePattern(search.trim());
  const matching = publications(db, clientId).where((eb) =>
    eb.or([
      eb('p.title', 'ilike', pattern),
      eb('p.description', 'ilike', pattern),
      eb('p.publisher', 'ilike', pattern),
    ]),
  );
  const [rows, count] = [
    await matching
      .orderBy(sql`lower(p.title)`)
      .orderBy('p.id')
      .limit(pageSize)
      .offset(page * pageSize)
      .execute(),
    await matching.clearSelect().select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ];
  return {
    data: rows.map((row) => itemOf(row, clientId)),
    meta: pageMeta(count.total, { page: page + 1, pageSize, all: false, offset: page * pageSize }),
  };
};

/** @throws published_connector_not_found */
export const readPublication = async (db: Db, clientId: string, id: string): Promise<PublishedItem> => {
  const row = await publications(db, clientId).where('p.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('published_connector_not_found');
  return itemOf(row, clientId);
};

/** Every version, newest first. */
export const readVersions = (db: Db, id: string) =>
  db
    .selectFrom('published_connector_versions')
    .select(['number', 'version', 'document', 'fixtures', 'hosts', 'published_at'])
    .where('publication_id', '=', id)
    .orderBy('number', 'desc')
    .limit(100)
    .execute();

const addVersion = (
  db: Db,
  order: { id: string; clientId: string; number: number; files: ConnectorFiles; checked: CheckedDocument },
) =>
  db
    .insertInto('published_connector_versions')
    .values({
      publication_id: order.id,
      number: order.number,
      client_id: order.clientId,
      version: order.checked.plugin.version,
      document: JSON.stringify(order.files.document),
      fixtures: JSON.stringify(order.files.fixtures),
      hosts: order.checked.hosts,
    })
    .execute();

/** The organisation as its connectors are signed: the name that it has now. */
const publisherOf = async (db: Db, clientId: string): Promise<string> => {
  const { organization_name } = await db
    .selectFrom('clients')
    .select('organization_name')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  return organization_name;
};

const shownOf = ({ connector: { title, category, description } }: CheckedDocument) => ({
  title,
  category,
  description,
});

export interface NewPublication {
  clientId: string;
  files: ConnectorFiles;
  checked: CheckedDocument;
  visibility: Visibility;
}

/** What is published again after it was taken back is the same publication. @throws conflict */
export const publish = async (db: Db, { clientId, files, checked, visibility }: NewPublication): Promise<string> => {
  const connectorId = checked.connector.id;
  const known = await db
    .selectFrom('published_connectors')
    .select(['id', 'state'])
    .where('client_id', '=', clientId)
    .where('connector_id', '=', connectorId)
    .executeTakeFirst();
  if (known?.state === 'unpublished') {
    await addNewVersion(db, { clientId, id: known.id, files, checked });
    await db
      .updateTable('published_connectors')
      .set({ state: 'published', visibility, updated_at: sql`now()` })
      .where('client_id', '=', clientId)
      .where('id', '=', known.id)
      .execute();
    return known.id;
  }
  await refuseMore(db, clientId);
  const made = await db
    .insertInto('published_connectors')
    .values({
      client_id: clientId,
      connector_id: connectorId,
      publisher: await publisherOf(db, clientId),
      visibility,
      ...shownOf(checked),
    })
    .onConflict((conflict) => conflict.columns(['client_id', 'connector_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) {
    throw new AppError(
      'conflict',
      say('Your organisation has published "{id}" already: publish a new version of it, or give this one another id.', {
        id: connectorId,
      }),
    );
  }
  await addVersion(db, { id: made.id, clientId, number: 1, files, checked });
  return made.id;
};

/** @throws conflict */
const refuseMore = async (db: Db, clientId: string): Promise<void> => {
  const { count } = await db
    .selectFrom('published_connectors')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  if (count < MOST_PUBLICATIONS) return;
  throw new AppError(
    'conflict',
    say('An organisation publishes at most {count} connectors.', { count: MOST_PUBLICATIONS }),
  );
};

export interface NewVersion {
  clientId: string;
  id: string;
  files: ConnectorFiles;
  checked: CheckedDocument;
}

/** @throws published_connector_not_found, conflict */
export const addNewVersion = async (db: Db, { clientId, id, files, checked }: NewVersion): Promise<void> => {
  const own = await lockToPublish(db, clientId, id);
  const newest = await db
    .selectFrom('published_connector_versions')
    .select('version')
    .where('publication_id', '=', id)
    .where('number', '=', own.newest)
    .executeTakeFirstOrThrow();
  if (own.connector_id !== checked.connector.id) {
    throw new AppError(
      'conflict',
      say('The id of this connector is "{id}", and it stays: what others added refers to it.', {
        id: own.connector_id,
      }),
    );
  }
  if (!isOlder(newest.version, checked.plugin.version)) {
    throw new AppError('conflict', say('The version has to be later than {version}.', { version: newest.version }));
  }
  if (own.newest >= MOST_VERSIONS)
    throw new AppError('conflict', say('A connector has at most {count} versions.', { count: MOST_VERSIONS }));
  await addVersion(db, { id, clientId, number: own.newest + 1, files, checked });
  await db
    .updateTable('published_connectors')
    .set({
      newest: own.newest + 1,
      publisher: await publisherOf(db, clientId),
      updated_at: sql`now()`,
      ...shownOf(checked),
    })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
};

/** @throws published_connector_not_found */
export const lockOwn = async (db: Db, clientId: string, id: string) => {
  const own = await db
    .selectFrom('published_connectors')
    .select(['connector_id', 'newest', 'state'])
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (own === undefined) throw new AppError('published_connector_not_found');
  return own;
};

/** The same, to publish it: what was revoked stays revoked. @throws published_connector_not_found, conflict */
const lockToPublish = async (db: Db, clientId: string, id: string) => {
  const own = await lockOwn(db, clientId, id);
  if (own.state === 'revoked')
    throw new AppError('conflict', msg('The operator of this installation has revoked this connector: ask them why.'));
  return own;
};

/** @throws published_connector_not_found, conflict where it was revoked */
export const changePublication = async (
  db: Db,
  { clientId, id }: { clientId: string; id: string },
  change: { visibility: Visibility } | { state: 'unpublished' },
): Promise<void> => {
  await lockToPublish(db, clientId, id);
  await db
    .updateTable('published_connectors')
    .set({ ...change, updated_at: sql`now()` })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
};

export interface Judgement {
  revoked?: boolean | undefined;
  reason?: string | undefined;
  publisher_verified?: boolean | undefined;
}

/** Of whoever runs the installation. In `forIdentity`. @returns title @throws published_connector_not_found */
export const judge = async (
  db: Db,
  id: string,
  { revoked, reason, publisher_verified }: Judgement,
): Promise<string> => {
  const row = await db
    .selectFrom('published_connectors')
    .select(['client_id', 'title', 'state', 'publisher'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('published_connector_not_found');
  if (revoked !== undefined && revoked !== (row.state === 'revoked')) {
    await db
      .updateTable('published_connectors')
      // allowed again, it is its publisher who offers it again
      .set({
        state: revoked ? 'revoked' : 'unpublished',
        reason: revoked ? (reason ?? '') : '',
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .execute();
  }
  if (publisher_verified === true) {
    await db
      .insertInto('verified_publishers')
      .values({ client_id: row.client_id, name: row.publisher })
      .onConflict((conflict) => conflict.column('client_id').doUpdateSet({ name: row.publisher }))
      .execute();
  }
  if (publisher_verified === false)
    await db.deleteFrom('verified_publishers').where('client_id', '=', row.client_id).execute();
  return row.title;
};
