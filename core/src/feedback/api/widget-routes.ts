import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Nullable } from '../../platform/api/envelope.ts';

/** Where feedback is given, and whether use is measured. */
export const FeedbackOptions = Type.Object({
  /** Canny's widget; null: the built-in board. */
  canny: Nullable(Type.Object({ script_url: Type.String(), board_token: Type.String() })),
  /** Pages that are opened are reported to the operator's service. */
  measures_usage: Type.Boolean(),
});
export type FeedbackOptions = Static<typeof FeedbackOptions>;

const access = { permission: 'account.use', tenant: false } as const;

export const getFeedbackOptions = route({
  method: 'GET',
  path: '/feedback-options',
  tag: 'feedback',
  summary: 'Where feedback is given, and whether use is measured',
  // nothing of it is a secret, and a page whose session ends just now may ask, too
  access: { public: true },
  response: Type.Object({ data: FeedbackOptions }),
});

/** Source: specification §7. The shape of the answer is ours. */
export const generateCannyToken = route({
  method: 'POST',
  path: '/widget/generate-canny-token',
  tag: 'feedback',
  summary: 'A token by which Canny knows the caller (JWT, HS256)',
  access,
  response: Action(Type.Object({ token: Type.String() })),
  errors: ['integration_not_configured'],
});

/** A page as the route table names it, such as `/findings/finding-details/:id`: no ids, no query. */
const Page = Type.String({ pattern: '^/[A-Za-z0-9/_:*.?-]{0,160}$' });

export const reportUsage = route({
  method: 'POST',
  path: '/usage',
  tag: 'feedback',
  summary: 'Report that a page was opened. Nothing is kept here; without an instrumentation key nothing is sent',
  access,
  body: Type.Object(
    {
      page: Page,
      /** The page before; absent for the first one. */
      from: Type.Optional(Page),
      /** Made anew by each tab. */
      visit: Type.String({ pattern: '^[a-z0-9-]{8,40}$' }),
    },
    { additionalProperties: false },
  ),
  response: Done,
});
