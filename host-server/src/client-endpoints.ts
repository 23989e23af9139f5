import { chooseFreePlan, paidReason, readCard, readPaymentsAnew } from '@breakwater/core/billing/server/index.ts';
import { createClientEndpoints } from '@breakwater/core/clients/server/index.ts';
import type { Container } from 'inversify';
import type { Config } from './config.ts';
import { proofOf } from './people-endpoints.ts';
import { SERVICE } from './services.ts';

/** Organisations: what they read and set of themselves, and how one is exported and deleted. */
export const bindClients = (container: Container, terms: Config['terms']): void => {
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createClientEndpoints({
      database: of.get(SERVICE.database),
      connections: of.get(SERVICE.connections),
      vault: of.get(SERVICE.vault),
      terms,
      signer: of.get(SERVICE.signer),
      jobs: of.get(SERVICE.jobs),
      readCard,
      chooseFreePlan: chooseFreePlan(of.get(SERVICE.billing)),
      deletion: {
        database: of.get(SERVICE.database),
        jobs: of.get(SERVICE.jobs),
        requireProof: proofOf(of.get(SERVICE.attempts), of.get(SERVICE.vault)),
        paidReason,
        readPaymentsAnew: readPaymentsAnew(of.get(SERVICE.billing)),
      },
    }),
  );
};
