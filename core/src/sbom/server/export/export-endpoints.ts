import { AppError } from '../../../platform/model/app-error.ts';
import type { ClientReads } from '../../../platform/server/client-access.ts';
import {
  type Caller,
  type Endpoint,
  inPieces,
  ownedOnly,
  streamedFileEndpoint,
} from '../../../platform/server/endpoint.ts';
import { exportSbom, exportVex } from '../../api/routes.ts';
import { findApplication } from '../queries/inventories.ts';
import { cyclonedxDocument } from './cyclonedx-document.ts';
import type { ExportTarget } from './export-source.ts';
import { spdxDocument } from './spdx-document.ts';
import { vexDocument } from './vex-document.ts';

const FORMATS = {
  cyclonedx: {
    write: cyclonedxDocument,
    ending: 'cdx.json',
    contentType: 'application/vnd.cyclonedx+json; version=1.6',
  },
  spdx: { write: spdxDocument, ending: 'spdx.json', contentType: 'application/spdx+json' },
} as const;

const fileName = (name: string, ending: string): string =>
  `${name.replace(/[^\w.-]+/g, '-').slice(0, 100) || 'application'}.${ending}`;

const targetOf = async (database: ClientReads, caller: Caller, repositoryId: string): Promise<ExportTarget> => {
  const { clientId } = caller;
  const request = { clientId, repositoryId, onlyOwnedBy: ownedOnly(caller) };
  const found = await database.forClient(clientId, (db) => findApplication(db, request));
  if (found === undefined) throw new AppError('repository_not_found');
  return { database, clientId, repositoryId, name: found.name };
};

/** Downloads of inventories and verdicts in exchange formats, written while they are sent. */
export const exportEndpoints = (database: ClientReads): Endpoint[] => [
  streamedFileEndpoint(exportSbom)(async ({ caller, params, query }) => {
    const target = await targetOf(database, caller, params.id);
    const { write, ending, contentType } = FORMATS[query.format ?? 'cyclonedx'];
    return { fileName: fileName(target.name, ending), contentType, content: inPieces(write(target)) };
  }),
  streamedFileEndpoint(exportVex)(async ({ caller, params }) => {
    const target = await targetOf(database, caller, params.id);
    const { contentType } = FORMATS.cyclonedx;
    return { fileName: fileName(target.name, 'vex.cdx.json'), contentType, content: inPieces(vexDocument(target)) };
  }),
];
