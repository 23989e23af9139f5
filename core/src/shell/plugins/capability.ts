import type { Check, ReportParser } from '@breakwater/sdk';
import type { ServiceIdentifier } from 'inversify';

/** What a connector can do, by the name under which features ask for it. Grows with the sdk. */
export interface Capabilities {
  /** Reads reports as the card's family of findings. */
  parser: ReportParser;
  /** Asks the service who the credentials belong to. */
  check: Check;
}

export type CapabilityName = keyof Capabilities;

/** Service identifier of each capability; bindings are named by connector id. */
export const CAPABILITY: { readonly [K in CapabilityName]: ServiceIdentifier<Capabilities[K]> } = {
  parser: Symbol.for('breakwater.capability.parser'),
  check: Symbol.for('breakwater.capability.check'),
};
