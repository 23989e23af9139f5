import type { SyncTarget } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import { upsertRepository } from '../../repositories/server/index.ts';
import type { ConnectionKey } from '../model/connection-key.ts';

const MAX_NAME = 200;

const known = async (db: Db, place: ConnectionKey, targetId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ repository_id: string }>`
    update connection_targets set last_sync_at = now()
    where client_id = ${place.clientId} and connector_id = ${place.connectorId} and target_id = ${targetId}
    returning repository_id`.execute(db);
  return rows[0]?.repository_id;
};

const nameOf = ({ id, name }: SyncTarget): string => {
  const text = name.toWellFormed().replaceAll('\0', '').trim().slice(0, MAX_NAME);
  return text === '' ? id.slice(0, MAX_NAME) : text;
};

const linkOf = (url: string | undefined): string | null =>
  url !== undefined && /^https?:\/\//i.test(url) ? url : null;

/**
 * The application that a target of a service is. One of the same name that is there already is taken; a renamed target keeps
 * its application. @returns the application's id.
 */
export const applicationOf = async (
  db: Db,
  order: { place: ConnectionKey; target: SyncTarget; tag: string },
): Promise<string> => {
  const { place, target, tag } = order;
  const { clientId, connectorId } = place;
  const before = await known(db, place, target.id);
  if (before !== undefined) return before;
  const { id, isNew } = await upsertRepository(db, {
    clientId,
    nickname: nameOf(target),
    url: '',
    sourceControl: 'git',
    branch: 'main',
    externalId: null,
    tags: [tag],
    owner: null,
  });
  await sql`
    insert into connection_targets (client_id, connector_id, target_id, repository_id, name, url)
    values (${clientId}, ${connectorId}, ${target.id}, ${id}, ${nameOf(target)}, ${linkOf(target.url)})
    on conflict (client_id, connector_id, target_id) do update set repository_id = excluded.repository_id, last_sync_at = now()
  `.execute(db);
  if (isNew) await publish(db, { clientId, type: 'repository.added', data: { repository_id: id } });
  return id;
};
