import type { AnyConnector, AnyConnectorCode, HostParser, LanguageTable, Plugin, PluginServer } from '@breakwater/sdk';
import { Container, type ServiceIdentifier } from 'inversify';
import type { Capabilities, CapabilityName, PluginTrust } from '../../platform/model/connector-catalogue.ts';

/**
 * Turns plugins into bindings: one per capability of a connector, named by the connector's id.
 *
 * This container is the only level at which capabilities are bound. A child that bound one name of a capability would hide all
 * other names of it, and `getAll` without a name finds no named binding: the list of connectors is the catalogue's, not the container's.
 */
export function createPluginContainer(plugins: readonly LoadedPlugin[]): Container {
  const container = new Container();
  for (const loaded of plugins) {
    for (const connector of loaded.plugin.connectors) bindConnector(container, loaded, connector);
  }
  return container;
}

function bindConnector(container: Container, loaded: LoadedPlugin, connector: AnyConnector): void {
  const source = connector.parser;
  const parser = source && loaded.parsers.find((candidate) => candidate.tool === source.tool);
  if (source && parser) {
    container
      .bind(CAPABILITY.parser)
      .toDynamicValue(() => parserOfFamily(parser, source.family))
      .inSingletonScope()
      .whenNamed(connector.id);
  }
  const view = loaded.views?.get(connector.id);
  if (view !== undefined) container.bind(CAPABILITY.view).toConstantValue(view).whenNamed(connector.id);
  const code = loaded.server?.connectors[connector.id];
  if (code) bindCode(container, code, connector.id);
}

function bindCode(container: Container, code: AnyConnectorCode, connectorId: string): void {
  const bind = <T>(service: ServiceIdentifier<T>, value: T | undefined) => {
    if (value !== undefined) container.bind(service).toConstantValue(value).whenNamed(connectorId);
  };
  bind(CAPABILITY.check, code.check);
  bind(CAPABILITY.scm, code.scm);
  bind(CAPABILITY.scanner, code.scanner);
  bind(CAPABILITY.cloud, code.cloud);
  bind(CAPABILITY.remediator, code.remediator);
  bind(CAPABILITY.tickets, code.tickets);
  bind(CAPABILITY.notify, code.notify);
  bind(CAPABILITY.findings, code.findings);
  bind(CAPABILITY.routes, code.routes);
  bind(CAPABILITY.webhook, code.webhook);
  bind(CAPABILITY.migrate, code.migrate);
}

/** The same parser, told which family of findings the entry stands for unless the caller says otherwise. */
function parserOfFamily(parser: HostParser, family: string): HostParser {
  return {
    ...parser,
    recognise: (head, name) => parser.recognise(head, name),
    parse: (report, options) => parser.parse(report, { family, ...options }),
  };
}

/** Service identifier of each capability; bindings are named by connector id. */
export const CAPABILITY: { readonly [K in CapabilityName]: ServiceIdentifier<Capabilities[K]> } = {
  parser: Symbol.for('breakwater.capability.parser'),
  check: Symbol.for('breakwater.capability.check'),
  scm: Symbol.for('breakwater.capability.scm'),
  scanner: Symbol.for('breakwater.capability.scanner'),
  cloud: Symbol.for('breakwater.capability.cloud'),
  remediator: Symbol.for('breakwater.capability.remediator'),
  tickets: Symbol.for('breakwater.capability.tickets'),
  notify: Symbol.for('breakwater.capability.notify'),
  findings: Symbol.for('breakwater.capability.findings'),
  routes: Symbol.for('breakwater.capability.routes'),
  webhook: Symbol.for('breakwater.capability.webhook'),
  migrate: Symbol.for('breakwater.capability.migrate'),
  view: Symbol.for('breakwater.capability.view'),
};

/** A plugin as the loader hands it over: its manifest, and the code this process needs. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  /** From the plugin's `./parsers` entry; empty where the process does not parse. */
  readonly parsers: readonly HostParser[];
  /** From the plugin's `./server` entry; null where the process does not talk to services. */
  readonly server: PluginServer | null;
  /** Its texts in other languages than English, by BCP 47. */
  readonly languages?: ReadonlyMap<string, LanguageTable>;
  /** HTML of the views of its connectors, by connector id. */
  readonly views?: ReadonlyMap<string, string>;
  /** Where its code runs. Default: in this process, as ours does. */
  readonly trust?: PluginTrust;
  /** Ends the processes in which it runs. */
  close?(): void;
}
