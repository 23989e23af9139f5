import { navigation as clients } from '@breakwater/core/clients/ui/navigation.ts';
import { navigation as connectors } from '@breakwater/core/connectors/ui/navigation.ts';
import { navigation as findings } from '@breakwater/core/findings/ui/navigation.ts';
import { navigation as posture } from '@breakwater/core/posture/ui/navigation.ts';
import { navigation as prioritisation } from '@breakwater/core/prioritisation/ui/navigation.ts';
import { navigation as repositories } from '@breakwater/core/repositories/ui/navigation.ts';
import { navigation as sbom } from '@breakwater/core/sbom/ui/navigation.ts';
import type { NavigationEntry } from '@breakwater/core/shell/ui/navigation/navigation.store.ts';

/** The rail, top to bottom. */
export const navigation: readonly NavigationEntry[] = [
  ...clients,
  ...posture,
  ...findings,
  ...sbom,
  ...repositories,
  ...connectors,
  ...prioritisation,
];
