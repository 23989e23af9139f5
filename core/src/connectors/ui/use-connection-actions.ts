import { useService } from '../../platform/ui/services.tsx';
import { TOASTS } from '../../platform/ui/toasts.store.ts';
import type { ConnectorItem } from './connector.ts';
import type { ConnectorsStore } from './connectors.store.ts';

export interface Acts {
  check: (item: ConnectorItem) => Promise<void>;
  sync: (item: ConnectorItem) => Promise<void>;
  release: (item: ConnectorItem) => Promise<void>;
}

/** What the buttons do, with the notice that follows; of a refusal by the server, too. */
export const useConnectionActions = (store: ConnectorsStore): Acts => {
  const toasts = useService(TOASTS);
  const run = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return {
    check: (item) =>
      // What the service said stands on the card.
      run(async () => {
        await store.check(item);
      }),
    sync: (item) =>
      run(async () => {
        await store.sync(item);
        toasts.show(`${item.attributes.title}: findings are being pulled`, { tone: 'notice' });
      }),
    release: (item) =>
      run(async () => {
        await store.release(item);
        toasts.show(`${item.attributes.title} released from quarantine`, { tone: 'done' });
      }),
  };
};
