import { observer } from 'mobx-react-lite';
import type { CredentialForm } from '../credentials/credential-form.store.ts';
import type { ConnectorItem } from '../data/connector.ts';
import type { AllowedActions } from '../data/connector-state.ts';
import type { ConnectorsStore } from '../data/connectors.store.ts';
import { Availability, DeleteConfiguration } from './connector-control.tsx';
import { ConnectorHistory } from './connector-history.tsx';

interface UpkeepProps {
  store: ConnectorsStore;
  item: ConnectorItem;
  can: AllowedActions;
  form: CredentialForm;
}

/** What is rarely done with a connector: its switches, its end, and what happened to it. */
export const Upkeep = observer(function Upkeep({ store, item, can, form }: UpkeepProps) {
  return (
    <>
      <Availability store={store} item={item} can={can} />
      {can.remove && <DeleteConfiguration store={store} item={item} onDeleted={form.reset} />}
      <ConnectorHistory item={item} />
    </>
  );
});
