import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { type Database, type Db, likePattern } from '../../platform/server/database.ts';
import { type PageMeta, type PagingQuery, pageMeta, readPaging } from '../../platform/server/paging.ts';
import type { FeedbackSort, FeedbackStatus } from '../model/feedback.ts';
import './tables.ts';

/** A post as lists and answers need it. */
export type PostRow = Selectable<Database['feedback_posts']> & { votes: number };

export interface PostsQuery extends PagingQuery {
  status?: FeedbackStatus | 'all';
  sort?: FeedbackSort;
  search?: string;
}

/** What is not yet decided or done. */
const OPEN: readonly FeedbackStatus[] = ['open', 'planned', 'in-progress'];

/** More than a person reads, and few enough to be ordered by their votes. */
const MAX_POSTS = 1000;

type Posts = SelectQueryBuilder<Database, 'feedback_posts', object>;

const narrowed = (posts: Posts, { status, search = '' }: PostsQuery): Posts => {
  let rows = posts;
  if (status !== 'all') rows = rows.where('status', 'in', status === undefined ? OPEN : [status]);
  if (search.trim() === '') return rows;
  const pattern = sql`lower(${likePattern(search.trim())})`;
  return rows.where(sql<boolean>`(lower(title) like ${pattern} or lower(details) like ${pattern})`);
};

const VOTES = sql<number>`(
  select count(*)::integer from feedback_votes v
  where v.client_id = feedback_posts.client_id and v.post_id = feedback_posts.id)`;

/** One page of the posts that the transaction may see. */
export const listPosts = async (db: Db, query: PostsQuery): Promise<{ rows: PostRow[]; meta: PageMeta }> => {
  const paging = readPaging(query);
  const posts = narrowed(db.selectFrom('feedback_posts'), query);
  const { total } = await posts.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow();
  const rows = await posts
    .selectAll()
    .select(VOTES.as('votes'))
    .$if(query.sort !== 'newest', (all) => all.orderBy('votes', 'desc'))
    // ids are in order of time
    .orderBy('id', 'desc')
    .limit(paging.pageSize)
    .offset(paging.offset)
    .execute();
  return { rows, meta: pageMeta(total, paging) };
};

/** @throws not_found */
export const readPost = async (db: Db, id: string): Promise<PostRow> => {
  const row = await db
    .selectFrom('feedback_posts')
    .selectAll()
    .select(VOTES.as('votes'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', msg('This post does not exist any more.'));
  return row;
};

/** Which of some posts a person voted for. */
export const votesOf = async (db: Db, userId: string, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('feedback_votes')
    .select('post_id')
    .where('user_id', '=', userId)
    .where('post_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ post_id }) => post_id));
};

export interface NewPost {
  clientId: string;
  author: { userId: string; username: string };
  title: string;
  details: string;
}

/** Adds a post with the vote of who asks. @throws conflict where it was asked already, or there are too many */
export const addPost = async (db: Db, { clientId, author, title, details }: NewPost): Promise<string> => {
  const { total } = await db
    .selectFrom('feedback_posts')
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow();
  if (total >= MAX_POSTS)
    throw new AppError('conflict', say('There are {most} posts. Delete some that are done.', { most: MAX_POSTS }));
  const made = await db
    .insertInto('feedback_posts')
    .values({ client_id: clientId, author_id: author.userId, author_name: author.username, title, details })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) {
    throw new AppError('conflict', msg('Somebody of your organisation asked for this already. Vote for that post.'));
  }
  await setVote(db, { clientId, postId: made.id, userId: author.userId, isVoting: true });
  return made.id;
};

export interface Vote {
  clientId: string;
  postId: string;
  userId: string;
  isVoting: boolean;
}

/** Votes, or takes the vote back; the same twice changes nothing. */
export const setVote = async (db: Db, { clientId, postId, userId, isVoting }: Vote): Promise<void> => {
  const vote = { client_id: clientId, post_id: postId, user_id: userId };
  if (isVoting) {
    await db
      .insertInto('feedback_votes')
      .values(vote)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await db.deleteFrom('feedback_votes').where('post_id', '=', postId).where('user_id', '=', userId).execute();
};

/** @throws not_found */
export const changePost = async (
  db: Db,
  id: string,
  change: { status?: FeedbackStatus; answer?: string },
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('feedback_posts')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', msg('This post does not exist any more.'));
};
