import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Item, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { FEED_SOURCES } from '../model/feeds.ts';

/** Public data in use: where it is from, and of which day. */
export const ReferenceSource = Type.Object({
  title: Type.String(),
  /** `delivered` with the product, from a `feed`, or a `file` that somebody uploaded. */
  origin: OneOf(['delivered', 'feed', 'file']),
  /** Address without its query, or name of the file. */
  name: Type.String(),
  /** ISO day. */
  data_date: Type.String(),
  model: Nullable(Type.String()),
  entries: Type.Integer(),
  loaded_at: Nullable(Timestamp),
  /** The operator named a feed that is asked daily. */
  has_feed: Type.Boolean(),
  /** When the feed is asked next; null without a feed. In the past: within a minute. */
  next_check_at: Nullable(Timestamp),
  /** When the feed was last asked; null where it never was. */
  checked_at: Nullable(Timestamp),
  /** Why the last answer of the feed changed nothing. */
  failure: Nullable(Type.String()),
});

/** How far findings are brought to the newest data: of the caller's organisation, for a superadmin of all organisations. */
export const Rescoring = Type.Object({
  is_running: Type.Boolean(),
  percentage: Type.Integer({ minimum: 0, maximum: 100 }),
});

export const listReferenceData = route({
  method: 'GET',
  path: '/reference_data',
  tag: 'prioritisation',
  summary: 'EPSS and KEV data in use, with its day and source',
  access: { permission: 'account.use', tenant: false },
  response: Type.Object({ data: Type.Array(Item(ReferenceSource)), meta: Type.Object({ rescoring: Rescoring }) }),
});

/** The body is the file itself, as it is or packed by gzip. It is read whole before anything is replaced. */
export const uploadReferenceData = route({
  method: 'POST',
  path: '/reference_data/{source}',
  tag: 'prioritisation',
  summary: 'Replace the EPSS or KEV data by a file',
  access: { permission: 'platform.write', tenant: false },
  audit: 'superadmin.changed',
  params: Type.Object({ source: OneOf(FEED_SOURCES) }),
  query: Type.Object(
    { name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'name of the file' })) },
    { additionalProperties: false },
  ),
  bodyKind: 'stream',
  response: Action(Type.Object({ is_replaced: Type.Boolean(), data_date: Type.String(), entries: Type.Integer() })),
  errors: ['report_malformed', 'payload_too_large'],
});
