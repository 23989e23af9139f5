import { VIEW_HEADERS, viewDocument } from '@breakwater/sdk/host';
import { AppError } from '../../platform/model/app-error.ts';
import { type Endpoint, fileEndpoint } from '../../platform/server/endpoint.ts';
import { showConnectorView } from '../api/routes.ts';
import { hasView } from './connection/connector-item.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import { findEntry } from './connection/find-entry.ts';
import { readConnection } from './connection/read-connections.ts';

/** The page that a connector brings. What it may do is said by the headers of the answer, wherever it is opened. */
export const connectorViewEndpoint = (deps: ConnectionsDeps): Endpoint =>
  fileEndpoint(showConnectorView)(async ({ db, caller: { clientId }, params, reply }) => {
    const entry = await findEntry(deps, db, { clientId, connector: params.id });
    const { id } = entry.connector;
    const html = deps.catalogue.capability('view', id);
    const record = await readConnection(db, { clientId, connectorId: id });
    if (html === null || !hasView(deps.catalogue, entry, record)) throw new AppError('not_found');
    for (const [name, value] of Object.entries(VIEW_HEADERS)) reply.header(name, value);
    return {
      fileName: 'view.html',
      contentType: 'text/html; charset=utf-8',
      content: viewDocument(html),
      isShown: true,
    };
  });
