import { setPiloting } from '@breakwater/core/billing/server/index.ts';
import { createManagedClientsEndpoints } from '@breakwater/core/clients/server/index.ts';
import { createManagedFindingsEndpoints } from '@breakwater/core/findings/server/index.ts';
import { createManagedChartEndpoints } from '@breakwater/core/posture/server/index.ts';
import { createManagedRepositoriesEndpoints } from '@breakwater/core/repositories/server/index.ts';
import type { Container } from 'inversify';
import { SERVICE } from './services.ts';

/** What superadmins read inside a client. */
export const bindManaged = (container: Container): void => {
  container.bind(SERVICE.endpoints).toDynamicValue((of) => {
    const database = of.get(SERVICE.database);
    return createManagedClientsEndpoints({ database, setPiloting: setPiloting({ database }) });
  });
  for (const create of [
    createManagedChartEndpoints,
    createManagedFindingsEndpoints,
    createManagedRepositoriesEndpoints,
  ]) {
    container.bind(SERVICE.endpoints).toDynamicValue((of) => create({ database: of.get(SERVICE.database) }));
  }
};
