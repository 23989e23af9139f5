import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, List, Nullable, OneOf, pageQuery, Timestamp } from '../../platform/api/envelope.ts';
import { FEEDBACK_SORTS, FEEDBACK_STATUSES, MAX_DETAILS, MAX_TITLE } from '../model/feedback.ts';

const strict = { additionalProperties: false } as const;

const post = {
  title: Type.String(),
  /** Plain text. */
  details: Type.String(),
  status: OneOf(FEEDBACK_STATUSES),
  /** Of who runs the installation; empty where there is none. */
  answer: Type.String(),
  author: Type.Object({ user_id: Nullable(Id), name: Type.String() }),
  votes: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const FeedbackPost = Type.Object({
  ...post,
  /** The caller's own vote. */
  has_voted: Type.Boolean(),
  /** The caller may delete it. */
  is_removable: Type.Boolean(),
});
export type FeedbackPost = Static<typeof FeedbackPost>;

const query = Type.Object(
  {
    ...pageQuery,
    /** Open, planned and begun ones without it. */
    status: Type.Optional(OneOf([...FEEDBACK_STATUSES, 'all'])),
    sort: Type.Optional(OneOf(FEEDBACK_SORTS)),
    /** Anywhere in title and details. */
    search: Type.Optional(Type.String({ maxLength: 200 })),
  },
  strict,
);

export const listFeedback = route({
  method: 'GET',
  path: '/feedback',
  tag: 'feedback',
  summary: "The organisation's posts, the most wanted first",
  access: { permission: 'feedback.write', tenant: true },
  query,
  response: List(FeedbackPost),
});

export const createFeedback = route({
  method: 'POST',
  path: '/feedback',
  tag: 'feedback',
  summary: 'Ask for something; who asks votes for it',
  access: { permission: 'feedback.write', tenant: true },
  body: Type.Object(
    {
      title: Type.String({ minLength: 3, maxLength: MAX_TITLE, pattern: '\\S.*\\S' }),
      details: Type.Optional(Type.String({ maxLength: MAX_DETAILS })),
    },
    strict,
  ),
  status: 201,
  response: Action(Item(FeedbackPost)),
  errors: ['conflict'],
});

export const voteFeedback = route({
  method: 'PUT',
  path: '/feedback/{id}/vote',
  tag: 'feedback',
  summary: 'Vote for a post, or take the vote back',
  access: { permission: 'feedback.write', tenant: true },
  params: Type.Object({ id: Id }),
  body: Type.Object({ voted: Type.Boolean() }, strict),
  response: Action(Item(FeedbackPost)),
  errors: ['not_found'],
});

export const deleteFeedback = route({
  method: 'DELETE',
  path: '/feedback/{id}',
  tag: 'feedback',
  summary: "Delete one's own post; an admin deletes any of the organisation",
  access: { permission: 'feedback.write', tenant: true },
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['not_found', 'forbidden'],
});

/** A post as who runs the installation sees it. */
export const ManagedFeedback = Type.Object({
  ...post,
  client: Type.Object({ client_id: Id, name: Type.String() }),
});
export type ManagedFeedback = Static<typeof ManagedFeedback>;

export const listManagedFeedback = route({
  method: 'GET',
  path: '/manage-feedback',
  tag: 'feedback',
  summary: 'The posts of all organisations, the most wanted first',
  access: { permission: 'feedback.answer', tenant: false },
  query,
  response: List(ManagedFeedback),
});

export const answerFeedback = route({
  method: 'PUT',
  path: '/manage-feedback/{client}/{id}',
  tag: 'feedback',
  summary: 'Say what becomes of a post',
  access: { permission: 'feedback.answer', tenant: false },
  audit: 'superadmin.changed',
  params: Type.Object({ client: Id, id: Id }),
  body: Type.Object(
    {
      status: Type.Optional(OneOf(FEEDBACK_STATUSES)),
      answer: Type.Optional(Type.String({ maxLength: MAX_DETAILS })),
    },
    { ...strict, minProperties: 1 },
  ),
  response: Action(Item(ManagedFeedback)),
  errors: ['not_found'],
});
