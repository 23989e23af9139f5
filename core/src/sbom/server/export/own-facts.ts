import type { ExportedComponent } from './export-source.ts';

/** What a document says of a component in the fields that its format has, as they are read. */
export interface Said {
  name: string;
  version: string | null;
  group: string | null;
  type: string | null;
  licenses: readonly string[];
  direct: boolean | null;
}

const KEYS = ['name', 'version', 'group', 'type', 'licenses', 'direct'] as const;

/** Name of the property, and start of the annotation, that holds what the format has no field for. */
export const OWN_COMPONENT = 'breakwater:component';
/** The same of the whole inventory. */
export const OWN_INVENTORY = 'breakwater:inventory';

/**
 * What the format has no field for, as JSON: for each such field what its own field says, and what is meant. Who reads it takes what is meant
 * only where the document still says the first: another tool may have changed it since. Undefined where nothing is lost.
 */
export const unsaid = (component: ExportedComponent, said: Said): string | undefined => {
  const { name, version, group_name, type, licenses, direct } = component;
  const meant: Said = { name, version, group: group_name === '' ? null : group_name, type, licenses, direct };
  const pairs = KEYS.filter((key) => JSON.stringify(said[key]) !== JSON.stringify(meant[key])).map(
    (key) => [key, [said[key], meant[key]]] as const,
  );
  return pairs.length === 0 ? undefined : JSON.stringify(Object.fromEntries(pairs));
};

/**
 * What is said of the inventory: its root is no component. `direct`: what the root needs is all that is needed directly. Without it readers
 * conclude that from the form of the graph, as they must of other tools.
 */
export const ofInventory = (isDirectStated: boolean): string => JSON.stringify({ direct: isDirectStated });
