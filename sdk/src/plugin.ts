import type { AnyConnector } from './connector.ts';
import { withDefaults } from './connector.ts';
import type { Importer } from './manifest.ts';
import { issuePlace } from './manifest.ts';
import { relationIssues } from './manifest-rules.ts';
import { hasManifestStructure, structureIssues } from './manifest-schema.ts';
import { refusalOf, SDK_API } from './sdk-api.ts';

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

/** A manifest was refused. Every issue names plugin, connector and field. */
export class PluginError extends Error {
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(issues.length === 1 ? issues.join('') : `${issues.length} issues:\n- ${issues.join('\n- ')}`);
    this.name = 'PluginError';
    this.issues = issues;
  }
}

/**
 * Declares a plugin. Call it at the top of `src/plugin.ts` and export the result as `plugin`.
 * @throws PluginError listing every issue at once.
 */
export function definePlugin<const C extends readonly AnyConnector[]>(spec: PluginSpec<C>): Plugin<C>;
export function definePlugin(spec: unknown): Plugin {
  return readManifest(spec);
}

/**
 * Checks something that claims to be a manifest, such as the export of a plugin that is being loaded, and fills in its defaults.
 * @throws PluginError listing every issue at once.
 */
export function readManifest(spec: unknown): Plugin {
  const refusal = refusalOf(spec);
  if (refusal !== null) throw new PluginError([`${issuePlace(spec, ['api'])}: ${refusal}`]);
  if (!hasManifestStructure(spec)) throw new PluginError(structureIssues(spec));
  const issues = relationIssues(spec);
  if (issues.length > 0) throw new PluginError(issues);
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
