import { CATEGORIES, SEVERITIES } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, List, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { MOST_REPORT, PUBLICATION_STATES, SENDINGS, VISIBILITIES } from '../model/publication.ts';

const strict = { additionalProperties: false } as const;
const Sends = Type.Array(OneOf(SENDINGS));
const Hosts = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100 });
const params = Type.Object({ id: Id });

/** A connector as its list shows it. Source: specification §3, which does not show its fields. */
export const PublishedConnector = Type.Object({
  title: Type.String(),
  category: OneOf(Object.keys(CATEGORIES)),
  description: Type.String(),
  publisher: Type.Object({
    name: Type.String(),
    /** Whoever runs the installation has checked the name. */
    verified: Type.Boolean(),
  }),
  visibility: OneOf(VISIBILITIES),
  state: OneOf(PUBLICATION_STATES),
  /** Why it was revoked; empty where it was not. */
  reason: Type.String(),
  /** The newest. */
  version: Type.String(),
  published_at: Timestamp,
  /** Of the newest version: all that it may talk to. */
  hosts: Type.Array(Type.String()),
  /** Of the newest version: what it sends there besides what it asks. */
  sends: Sends,
  /** Published by the organisation that asks. */
  is_own: Type.Boolean(),
  /** What the organisation added of it; null where it did not. */
  added: Nullable(
    Type.Object({
      /** Its id in the catalogue. */
      connector: Type.String(),
      version: Type.String(),
      hosts: Type.Array(Type.String()),
      sends: Sends,
    }),
  ),
});
export type PublishedConnector = Static<typeof PublishedConnector>;

export const PublishedConnectorDetail = Type.Object({
  ...PublishedConnector.properties,
  /** JSON Schema of the form that its users fill in. */
  credentials: Type.Unknown(),
  /** `connector.json` of the newest version. */
  document: Type.Unknown(),
  /** `conformance.json` of the newest version, for its publisher alone; else null. */
  fixtures: Type.Unknown(),
  versions: Type.Array(
    Type.Object({ version: Type.String(), published_at: Timestamp, hosts: Type.Array(Type.String()) }),
  ),
});

export type PublishedConnectorDetail = Static<typeof PublishedConnectorDetail>;

const read = { tag: 'connectors', access: { permission: 'connectors.read', tenant: true } } as const;
const write = { tag: 'connectors', access: { permission: 'connectors.write', tenant: true } } as const;

export const listPublishedConnectors = route({
  tag: 'connectors',
  access: { permission: 'connectors.read', tenant: false },
  method: 'GET',
  path: '/user_connectors/list',
  summary:
    'Connectors that organisations published for all, and those of the own organisation, by title; for superadmins also what is revoked',
  query: Type.Object(
    {
      /** 0-based. */
      page: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
      pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      /** Part of the title, the description or the publisher's name. */
      search: Type.Optional(Type.String({ maxLength: 200 })),
    },
    strict,
  ),
  response: List(PublishedConnector),
});

export const getPublishedConnector = route({
  ...read,
  method: 'GET',
  path: '/user_connectors/{id}',
  summary: 'One published connector with its form, its versions and its document',
  params,
  response: One(PublishedConnectorDetail),
  errors: ['published_connector_not_found'],
});

const Files = {
  /** Content of `connector.json`. */
  document: Type.Unknown(),
  /** Content of `conformance.json`: what the service was asked and answered. */
  fixtures: Type.Unknown(),
};

/** Something that is wrong with a document. */
const DocumentIssue = Type.Object({
  /** Names of fields below the document; empty: the whole. */
  path: Type.Array(Type.String()),
  message: Type.String(),
});
export type DocumentIssue = Static<typeof DocumentIssue>;

export const checkDocument = route({
  method: 'POST',
  path: '/user_connectors/check',
  tag: 'connectors',
  access: { permission: 'connectors.write', tenant: false },
  summary: 'What keeps a document from being published, place by place; nothing is asked and nothing is stored',
  body: Type.Object({ document: Files.document }, strict),
  response: Action(Type.Object({ issues: Type.Array(DocumentIssue) })),
});

export const TriedOperation = Type.Object({
  /** `check`, `findings.sync`. */
  name: Type.String(),
  is_ok: Type.Boolean(),
  /** Why it did not succeed; empty where it did. */
  message: Type.String(),
  /** What was asked: `GET /account`. */
  requests: Type.Array(Type.String()),
  /** The answer of the check, or the first record of findings; secrets are masked, long texts and lists cut. */
  answer: Type.Unknown(),
});

/** Findings as a mapping gives them. */
const TriedFindings = Type.Array(
  Type.Object({
    rule: Type.String(),
    title: Type.String(),
    severity: OneOf(SEVERITIES),
    type: Type.String(),
    /** File and line, component or resource; empty where the finding has none. */
    place: Type.String(),
  }),
);

export const TriedDocument = Type.Object({
  /** Whose credentials these are. */
  identity: Nullable(Type.String()),
  operations: Type.Array(TriedOperation),
  /** Names of what findings belong to. */
  applications: Type.Array(Type.String()),
  findings: TriedFindings,
  /** What the report came to that was sent along; null where none was. */
  report: Nullable(
    Type.Object({
      is_ok: Type.Boolean(),
      /** Why it could not be read; empty where it was. */
      message: Type.String(),
      /** All findings in it, of which the first are shown. */
      count: Type.Integer(),
      findings: TriedFindings,
      /** Records that became no finding, and why. */
      unreadable: Type.Array(Type.String()),
    }),
  ),
  /** Content of `conformance.json`, secrets scrubbed; null unless everything succeeded. */
  fixtures: Type.Unknown(),
  /** What was replaced in the answers. */
  scrubbed: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() })),
  /** The document reads pages and the account has one page only, which does not show that they are read. */
  is_one_page: Type.Boolean(),
  /** The document sends messages or makes tickets, and was not allowed to: nothing is recorded. */
  is_unsent: Type.Boolean(),
});
export type TriedDocument = Static<typeof TriedDocument>;

export const testDocument = route({
  method: 'POST',
  path: '/user_connectors/test',
  tag: 'connectors',
  access: { permission: 'connectors.write', tenant: false },
  summary:
    'Ask the service of a document with credentials that are used once and not stored: its check and the beginning of each list',
  audit: 'connector.tested',
  body: Type.Object(
    {
      document: Files.document,
      /** Values of its form by field. */
      values: Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), { maxProperties: 40 }),
      /** One message is sent and one ticket is made, where the document says how, so that they are recorded. Default false. */
      sends: Type.Optional(Type.Boolean()),
      /** A report of the tool, as text, which becomes part of what is recorded. */
      report: Type.Optional(Type.String({ maxLength: MOST_REPORT })),
    },
    strict,
  ),
  response: Action(TriedDocument),
  errors: ['too_many_requests', 'upstream_failed'],
});

export const publishConnector = route({
  // it is tried with its fixtures first, which takes some seconds: no transaction stays open meanwhile
  method: 'POST',
  path: '/user_connectors/publish',
  tag: 'connectors',
  access: { permission: 'connectors.write', tenant: false },
  summary:
    'Publish a connector without code, for the organisation or for all, once it reaches the tier silver with its fixtures',
  audit: 'connector.published',
  body: Type.Object({ ...Files, visibility: Type.Optional(OneOf(VISIBILITIES)) }, strict),
  response: Action(Type.Object({ id: Id })),
  errors: ['conflict', 'too_many_requests'],
});

export const editPublishedConnector = route({
  method: 'PUT',
  path: '/user_connectors/edit/{id}',
  tag: 'connectors',
  access: { permission: 'connectors.write', tenant: false },
  summary: 'Publish a new version, or change who sees the connector; who added it keeps the version that they have',
  audit: 'connector.published',
  params,
  body: Type.Object(
    {
      document: Type.Optional(Files.document),
      fixtures: Type.Optional(Files.fixtures),
      visibility: Type.Optional(OneOf(VISIBILITIES)),
    },
    { ...strict, minProperties: 1 },
  ),
  response: Action(Type.Object({ id: Id })),
  errors: ['published_connector_not_found', 'conflict', 'too_many_requests'],
});

export const unpublishConnector = route({
  ...write,
  method: 'DELETE',
  path: '/user_connectors/unpublish/{id}',
  summary: 'Offer a connector to nobody any more; who added it keeps it',
  audit: 'connector.unpublished',
  params,
  response: Done,
  errors: ['published_connector_not_found'],
});

export const addPublishedConnector = route({
  ...write,
  method: 'POST',
  path: '/user_connectors/add/{id}',
  summary: 'Add the newest version to the catalogue of the organisation, or take it in place of the one that is there',
  audit: 'connector.added',
  params,
  /** What the admin has seen and allows: exactly the hosts of the newest version, in any order. */
  body: Type.Object({ hosts: Hosts }, strict),
  response: Action(Type.Object({ connector: Type.String(), version: Type.String() })),
  errors: ['published_connector_not_found', 'conflict'],
});

export const removeAddedConnector = route({
  ...write,
  method: 'DELETE',
  path: '/user_connectors/add/{id}',
  summary: 'Take a connector out of the catalogue of the organisation; its connection has to be removed first',
  audit: 'connector.dropped',
  params,
  response: Done,
  errors: ['published_connector_not_found', 'conflict'],
});

export const judgePublishedConnector = route({
  method: 'PUT',
  path: '/platform/user_connectors/{id}',
  tag: 'connectors',
  access: { permission: 'platform.write', tenant: false },
  summary:
    'Revoke a published connector for everybody or allow it again; say whether the name of its publisher was checked',
  audit: 'superadmin.changed',
  params,
  body: Type.Object(
    {
      revoked: Type.Optional(Type.Boolean()),
      /** Shown to those who added it. */
      reason: Type.Optional(Type.String({ maxLength: 300 })),
      publisher_verified: Type.Optional(Type.Boolean()),
    },
    { ...strict, minProperties: 1 },
  ),
  response: Done,
  errors: ['published_connector_not_found'],
});
