import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { can } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Caller, callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import {
  answerFeedback,
  createFeedback,
  deleteFeedback,
  type FeedbackPost,
  listFeedback,
  listManagedFeedback,
  type ManagedFeedback,
  voteFeedback,
} from '../api/board-routes.ts';
import type { FeedbackDeps } from './deps.ts';
import { addPost, changePost, listPosts, type PostRow, readPost, setVote, votesOf } from './posts.ts';

const attributesOf = (row: PostRow) => ({
  title: row.title,
  details: row.details,
  status: row.status,
  answer: row.answer,
  author: { user_id: row.author_id, name: row.author_name },
  votes: row.votes,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const isRemovable = (caller: Caller, row: PostRow): boolean =>
  row.author_id === caller.userId || can(caller.role, 'team.manage');

const postItems = async (db: Db, caller: Caller, rows: readonly PostRow[]) => {
  const ids = rows.map(({ id }) => id);
  const voted = await votesOf(db, caller.userId, ids);
  return rows.map((row): { _id: string; attributes: FeedbackPost } => ({
    _id: row.id,
    attributes: { ...attributesOf(row), has_voted: voted.has(row.id), is_removable: isRemovable(caller, row) },
  }));
};

const postItem = async (db: Db, caller: Caller, id: string) => {
  const [item] = await postItems(db, caller, [await readPost(db, id)]);
  if (item === undefined) throw new AppError('not_found');
  return item;
};

const managedItems = async (db: Db, rows: readonly PostRow[]) => {
  const ids = [...new Set(rows.map(({ client_id }) => client_id))];
  const clients =
    ids.length === 0
      ? []
      : await db.selectFrom('clients').select(['id', 'organization_name']).where('id', 'in', ids).execute();
  const names = new Map(clients.map(({ id, organization_name }) => [id, organization_name]));
  return rows.map((row): { _id: string; attributes: ManagedFeedback } => ({
    _id: row.id,
    attributes: {
      ...attributesOf(row),
      client: { client_id: row.client_id, name: names.get(row.client_id) ?? '' },
    },
  }));
};

/** The built-in board: an organisation's people post and vote, who runs the installation answers. */
export const boardEndpoints = ({ database }: Pick<FeedbackDeps, 'database'>): Endpoint[] => [
  tenantEndpoint(listFeedback)(async ({ db, caller, query }) => {
    const { rows, meta } = await listPosts(db, query);
    return { data: await postItems(db, caller, rows), meta };
  }),
  tenantEndpoint(createFeedback)(async ({ db, caller, body }) => {
    const id = await addPost(db, {
      clientId: caller.clientId,
      author: caller,
      title: body.title.trim(),
      details: body.details?.trim() ?? '',
    });
    return { success: true, data: await postItem(db, caller, id) };
  }),
  tenantEndpoint(voteFeedback)(async ({ db, caller, params, body }) => {
    const { id } = await readPost(db, params.id);
    await setVote(db, { clientId: caller.clientId, postId: id, userId: caller.userId, isVoting: body.voted });
    return { success: true, data: await postItem(db, caller, id) };
  }),
  tenantEndpoint(deleteFeedback)(async ({ db, caller, params }) => {
    const row = await readPost(db, params.id);
    if (!isRemovable(caller, row))
      throw new AppError('forbidden', msg('Only who posted it, or an admin, may delete it.'));
    await db.deleteFrom('feedback_posts').where('id', '=', row.id).execute();
    return { success: true };
  }),
  callerEndpoint(listManagedFeedback)(({ query }) =>
    database.forIdentity(async (db) => {
      const { rows, meta } = await listPosts(db, query);
      return { data: await managedItems(db, rows), meta };
    }),
  ),
  callerEndpoint(answerFeedback)(async ({ params, body, audit }) => {
    await database.forClient(params.client, (db) => changePost(db, params.id, body));
    const [data] = await database.forIdentity(async (db) => managedItems(db, [await readPost(db, params.id)]));
    if (data === undefined) throw new AppError('not_found');
    audit({ subject: data.attributes.title, details: { organisation: data.attributes.client.name, ...body } });
    return { success: true, data };
  }),
];
