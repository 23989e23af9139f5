import { definePlugin } from '@breakwater/sdk';
import { aws } from './cards/aws.ts';
import { azure } from './cards/azure.ts';
import { gcp } from './cards/gcp.ts';
import { oracleOci } from './cards/oracle-oci.ts';

/**
 * Manifest of the cloud providers. Each signs its requests in a way of its own, so the code asks for the key (`permissions.reveal`)
 * and the host signs nothing.
 */
export const plugin = definePlugin({
  id: 'cloud',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [aws, azure, gcp, oracleOci],
});
