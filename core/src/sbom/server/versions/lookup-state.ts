import type { Db } from '../../../platform/server/database.ts';
import { createExclusion } from '../../model/excluded-packages.ts';
import type { LookupState } from '../../model/lookup-answer.ts';
import { type NamedComponent, registryPackageOf } from '../../model/registry-package.ts';
import type { LookupSettings } from './lookup-settings.ts';
import { readPackages } from './package-store.ts';

export interface ComponentLookup {
  state: LookupState;
  answeredAt: Date | null;
}

/** Whether a component is looked up, and what came of it. */
export const readLookupState = async (
  db: Db,
  request: { clientId: string; component: NamedComponent; settings: LookupSettings },
): Promise<ComponentLookup> => {
  const { clientId, component, settings } = request;
  if (!settings.isEnabled) return { state: 'off', answeredAt: null };
  const wanted = registryPackageOf(component);
  if (wanted === undefined) return { state: 'unsupported', answeredAt: null };
  if (createExclusion(settings.excluded)(wanted)) return { state: 'excluded', answeredAt: null };
  const [known] = await readPackages(db, { clientId, packages: [wanted] });
  // what was known of a package outlasts an answer that could not be read
  const state = known?.outcome === 'unreadable' && known.versions !== null ? 'found' : known?.outcome;
  return { state: state ?? 'waiting', answeredAt: known?.answered_at ?? null };
};
