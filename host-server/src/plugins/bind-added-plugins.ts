import { createInstalledPluginEndpoints } from '@breakwater/core/installed-plugins/server/index.ts';
import type { Container } from 'inversify';
import { type Parts, SERVICE } from '../services.ts';
import { withAddedConnectors } from './added-connectors.ts';
import { withEnabledPlugins } from './installed/enabled-plugins.ts';
import { createPluginCode } from './installed/plugin-code.ts';
import { createPluginInstaller } from './installed/plugin-installer.ts';
import { publishedConnectorEndpoints } from './published-connectors.ts';
import { createReportToolSource } from './report-tool-source.ts';

const bindInstalledPlugins = (container: Container, { config, vault }: Parts): void => {
  const mayHaveNetwork = config.canPluginsHaveNetwork;
  container
    .bind(SERVICE.pluginCode)
    .toDynamicValue(() => createPluginCode(mayHaveNetwork))
    .inSingletonScope();
  container
    .bind(SERVICE.addedCatalogue)
    .toDynamicValue((of) => {
      const log = of.get(SERVICE.log);
      return withEnabledPlugins(withAddedConnectors(of.get(SERVICE.plugins), log), {
        code: of.get(SERVICE.pluginCode),
        log,
      });
    })
    .inSingletonScope();
  container
    .bind(SERVICE.reportTools)
    .toDynamicValue((of) => createReportToolSource(of.get(SERVICE.plugins), of.get(SERVICE.addedCatalogue)))
    .inSingletonScope();
  container
    .bind(SERVICE.pluginInstaller)
    .toDynamicValue((of) =>
      createPluginInstaller({
        catalogue: of.get(SERVICE.plugins),
        registry: { gate: of.get(SERVICE.egress), address: config.providerBaseUrls.get('NPM_REGISTRY') },
        configured: config,
        mayHaveNetwork,
        code: of.get(SERVICE.pluginCode),
      }),
    )
    .inSingletonScope();
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createInstalledPluginEndpoints({
      database: of.get(SERVICE.database),
      vault,
      installer: of.get(SERVICE.pluginInstaller),
    }),
  );
};

/** What organisations add while the server runs: connectors of one another, and plugins that the operator installs. */
export const bindAddedPlugins = (container: Container, parts: Parts): void => {
  container.bind(SERVICE.endpoints).toDynamicValue(() => publishedConnectorEndpoints(parts));
  bindInstalledPlugins(container, parts);
};
