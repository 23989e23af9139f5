import type { ServiceIdentifier } from 'inversify';
import type { Capabilities, CapabilityName } from '../../platform/model/connector-catalogue.ts';

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
