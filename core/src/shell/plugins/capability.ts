import type {
  Check,
  Cloud,
  ConnectorRoute,
  CredentialMigration,
  FindingsSource,
  Remediator,
  ReportParser,
  Scanner,
  Scm,
  Webhook,
} from '@breakwater/sdk';
import type { ServiceIdentifier } from 'inversify';

/** What a connector can do, by the name under which features ask for it. The same names as in the sdk. */
export interface Capabilities {
  /** Reads reports as the card's family of findings. */
  parser: ReportParser;
  /** Asks the service who the credentials belong to. */
  check: Check;
  scm: Scm;
  scanner: Scanner;
  cloud: Cloud;
  remediator: Remediator;
  findings: FindingsSource;
  routes: readonly ConnectorRoute[];
  webhook: Webhook;
  migrate: readonly CredentialMigration[];
}

export type CapabilityName = keyof Capabilities;

/** Service identifier of each capability; bindings are named by connector id. */
export const CAPABILITY: { readonly [K in CapabilityName]: ServiceIdentifier<Capabilities[K]> } = {
  parser: Symbol.for('breakwater.capability.parser'),
  check: Symbol.for('breakwater.capability.check'),
  scm: Symbol.for('breakwater.capability.scm'),
  scanner: Symbol.for('breakwater.capability.scanner'),
  cloud: Symbol.for('breakwater.capability.cloud'),
  remediator: Symbol.for('breakwater.capability.remediator'),
  findings: Symbol.for('breakwater.capability.findings'),
  routes: Symbol.for('breakwater.capability.routes'),
  webhook: Symbol.for('breakwater.capability.webhook'),
  migrate: Symbol.for('breakwater.capability.migrate'),
};
