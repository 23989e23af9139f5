import { hostText } from '../../platform/ui/display/host-text.ts';
import type { PluginVersion } from './installed.store.ts';

/** What the fields of a form are called, by their names, in the order of its schema. */
export const fieldTitles = ({ credentials }: PluginVersion['connectors'][number]): ReadonlyMap<string, string> => {
  const properties: unknown = Reflect.get(Object(credentials), 'properties');
  return new Map(
    Object.entries(Object(properties)).flatMap(([name, field]): [string, string][] => {
      const title: unknown = Reflect.get(Object(field), 'title');
      return typeof title === 'string' ? [[name, title]] : [];
    }),
  );
};

/** A host that a version asks for: `[Domain]:[Port]` where it is what people enter in its form. */
export const hostOf = ({ connectors }: PluginVersion, host: string): string => {
  const titles = new Map(connectors.flatMap((connector) => [...fieldTitles(connector)]));
  return hostText(host, (field) => `[${titles.get(field) ?? field}]`);
};
