import { manifestOfDocument } from '@breakwater/sdk/declarative';
import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import {
  addPublishedConnector,
  checkDocument,
  type DocumentIssue,
  editPublishedConnector,
  getPublishedConnector,
  judgePublishedConnector,
  listPublishedConnectors,
  publishConnector,
  removeAddedConnector,
  testDocument,
  unpublishConnector,
} from '../api/routes.ts';
import { withoutPlace } from '../model/document-rules.ts';
import { addConnector, dropConnector } from './additions.ts';
import { type ConformanceRun, readPublishable, refuseFixturesAlone, tryDocument } from './check-document.ts';
import {
  addNewVersion,
  changePublication,
  judge,
  listPublications,
  lockOwn,
  publish,
  readPublication,
  readVersions,
} from './publications.ts';
import { type LiveTestDeps, testWithService } from './test-document.ts';

export { type AddedDocument, readAdded, readAddedDocument } from './additions.ts';
export type { ConformanceRun, ConnectorFiles } from './check-document.ts';
export { LIVE_TEST_LIMIT, type LiveTest } from './test-document.ts';

export interface PublishedConnectorsDeps {
  database: DatabaseHandle;
  /** Plays the recorded service to a connector. */
  conformance: ConformanceRun;
  /** Asks the service of a draft. */
  liveTest: LiveTestDeps;
}

/** What keeps a document from being published; nothing where it may be. */
const issuesOf = (document: unknown): DocumentIssue[] => {
  try {
    readPublishable({ document, fixtures: null });
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error;
    return error.issues.map(({ loc, msg }) => ({ path: loc.slice(2).map(String), message: withoutPlace(msg) }));
  }
};

const draftEndpoints = ({ liveTest }: PublishedConnectorsDeps): Endpoint[] => [
  callerEndpoint(checkDocument)(async ({ body }) => ({ success: true, data: { issues: issuesOf(body.document) } })),
  callerEndpoint(testDocument)(async ({ caller, body, signal, audit }) => {
    const order = { clientId: caller.clientId, ...body };
    const { checked, tried } = await testWithService(liveTest, order, signal);
    audit({ subject: checked.connector.title, details: { hosts: checked.hosts, sends: body.sends === true } });
    return { success: true, data: tried };
  }),
];

const readEndpoints = ({ database }: PublishedConnectorsDeps): Endpoint[] => [
  callerEndpoint(listPublishedConnectors)(({ caller, query }) => {
    const list = (db: Db) => listPublications(db, { clientId: caller.clientId, ...query });
    // who revokes has to find what is revoked, too
    return can(caller.role, 'platform.write') ? database.forIdentity(list) : database.forClient(caller.clientId, list);
  }),
  tenantEndpoint(getPublishedConnector)(async ({ db, caller, params }) => {
    const { _id, attributes } = await readPublication(db, caller.clientId, params.id);
    const versions = await readVersions(db, params.id);
    const newest = versions[0];
    const credentials = manifestOfDocument(newest?.document).connectors[0]?.credentials ?? null;
    return {
      data: {
        _id,
        attributes: {
          ...attributes,
          credentials,
          document: newest?.document ?? null,
          fixtures: attributes.is_own ? (newest?.fixtures ?? null) : null,
          versions: versions.map(({ version, published_at, hosts }) => ({
            version,
            published_at: published_at.toISOString(),
            hosts,
          })),
        },
      },
    };
  }),
];

const publisherEndpoints = ({ database, conformance }: PublishedConnectorsDeps): Endpoint[] => [
  callerEndpoint(publishConnector)(async ({ caller, body, signal, audit }) => {
    const { clientId } = caller;
    const files = { document: body.document, fixtures: body.fixtures };
    const checked = readPublishable(files);
    audit({ subject: checked.connector.title, details: { version: checked.plugin.version } });
    await tryDocument(conformance, files, signal);
    const visibility = body.visibility ?? 'private';
    const id = await database.forClient(clientId, (db) => publish(db, { clientId, files, checked, visibility }));
    return { success: true, data: { id } };
  }),
  callerEndpoint(editPublishedConnector)(async ({ caller, params, body, signal, audit }) => {
    const own = { clientId: caller.clientId, id: params.id };
    const { visibility } = body;
    if (body.document === undefined && body.fixtures !== undefined) refuseFixturesAlone();
    await database.forClient(own.clientId, (db) => lockOwn(db, own.clientId, own.id));
    if (body.document !== undefined) {
      const files = { document: body.document, fixtures: body.fixtures };
      const checked = readPublishable(files);
      audit({ subject: checked.connector.title, details: { version: checked.plugin.version } });
      await tryDocument(conformance, files, signal);
      await database.forClient(own.clientId, (db) => addNewVersion(db, { ...own, files, checked }));
    }
    if (visibility !== undefined)
      await database.forClient(own.clientId, (db) => changePublication(db, own, { visibility }));
    return { success: true, data: { id: own.id } };
  }),
  tenantEndpoint(unpublishConnector)(async ({ db, caller, params }) => {
    await changePublication(db, { clientId: caller.clientId, id: params.id }, { state: 'unpublished' });
    return { success: true };
  }),
];

const userEndpoints = (): Endpoint[] => [
  tenantEndpoint(addPublishedConnector)(async ({ db, caller, params, body, audit }) => {
    const order = { clientId: caller.clientId, publicationId: params.id, hosts: body.hosts };
    const { connector, version, title } = await addConnector(db, order);
    audit({ subject: title, details: { version, hosts: body.hosts } });
    return { success: true, data: { connector, version } };
  }),
  tenantEndpoint(removeAddedConnector)(async ({ db, caller, params, audit }) => {
    audit({ subject: await dropConnector(db, caller.clientId, params.id) });
    return { success: true };
  }),
];

/** Connectors without code that organisations publish for themselves or for all, and add from one another. */
export const createPublishedConnectorEndpoints = (deps: PublishedConnectorsDeps): Endpoint[] => [
  ...readEndpoints(deps),
  ...draftEndpoints(deps),
  ...publisherEndpoints(deps),
  ...userEndpoints(),
  callerEndpoint(judgePublishedConnector)(async ({ params, body, audit }) => {
    const subject = await deps.database.forIdentity((db) => judge(db, params.id, body));
    audit({ subject, details: body });
    return { success: true };
  }),
];
