import type { ComponentItem } from './components.store.ts';

type Attributes = ComponentItem['attributes'];

/** `group/name` where the ecosystem has groups. */
export const fullName = ({ group, name }: Pick<Attributes, 'group' | 'name'>): string =>
  group === null || group === '' || name.startsWith(`${group}/`) ? name : `${group}/${name}`;

export const licenseText = (licenses: readonly string[]): string =>
  licenses.length === 0 ? 'Not stated' : licenses.join(', ');

/** Whether the application names it itself; null where the inventory does not say. */
export const directText = (direct: boolean | null): string => {
  if (direct === null) return '';
  return direct ? 'Direct' : 'Transitive';
};
