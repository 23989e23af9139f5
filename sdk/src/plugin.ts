import type { AnyConnector } from './connector.ts';
import { withDefaults } from './connector.ts';
import type { Importer } from './manifest.ts';
import { relationFaults } from './manifest-rules.ts';
import { hasManifestStructure, structureFaults } from './manifest-schema.ts';

/** Version of the contract between plugins and host that this package speaks. */
export const SDK_API = '1';

/** A plugin as its author writes it. */
export interface PluginSpec<C extends readonly AnyConnector[] = readonly AnyConnector[]> {
  /** Unique among all plugins: `scanners`, `scm-gitea`. Lower case with dashes. */
  readonly id: string;
  /** Semantic version, `1.4.0`. */
  readonly version: string;
  /** Who answers for it. */
  readonly publisher?: string;
  readonly connectors: C;
  /** Report formats it reads. Cards point to them with `parser.tool`; one without a card is still known by its name. */
  readonly importers?: readonly Importer[];
}

/** A checked, frozen plugin manifest. Data only: reading it runs no code of the plugin and opens no connection. */
export interface Plugin<C extends readonly AnyConnector[] = readonly AnyConnector[]> extends PluginSpec<C> {
  readonly api: typeof SDK_API;
  readonly importers: readonly Importer[];
}

/** A manifest was refused. Every fault names plugin, connector and field. */
export class PluginError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.length === 1 ? faults.join('') : `${faults.length} faults:\n- ${faults.join('\n- ')}`);
    this.name = 'PluginError';
    this.faults = faults;
  }
}

/**
 * Declares a plugin. Call it at the top of `src/plugin.ts` and export the result as `plugin`.
 * @throws PluginError listing every fault at once.
 */
export function definePlugin<const C extends readonly AnyConnector[]>(spec: PluginSpec<C>): Plugin<C>;
export function definePlugin(spec: unknown): Plugin {
  return readManifest(spec);
}

/**
 * Checks something that claims to be a manifest, such as the export of a plugin that is being loaded, and fills in its defaults.
 * @throws PluginError listing every fault at once.
 */
export function readManifest(spec: unknown): Plugin {
  if (!hasManifestStructure(spec)) throw new PluginError(structureFaults(spec));
  const faults = relationFaults(spec);
  if (faults.length > 0) throw new PluginError(faults);
  return deepFreeze({
    ...spec,
    api: SDK_API,
    connectors: spec.connectors.map((connector) => withDefaults(connector)),
    importers: spec.importers ?? [],
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
