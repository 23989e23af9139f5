import { observer } from 'mobx-react-lite';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { ConnectorConfetti } from '../catalogue/connector-confetti.tsx';
import { useConnectors } from '../data/use-connectors.ts';
import { ConnectionCard } from './connection-card.tsx';
import type { ConnectorDetailProps } from './connector-detail.tsx';
import '../catalogue/connectors.css';

interface ConnectionSettingsProps extends Pick<ConnectorDetailProps, 'onTest'> {
  /** Of the connector. */
  id: string;
}

/** The connection of one connector on a page of settings: the same form as its card in the catalogue. */
export const ConnectionSettings = observer(function ConnectionSettings({ id, ...rest }: ConnectionSettingsProps) {
  const { store, confetti } = useConnectors();
  const item = store.find(id);
  if (store.items === undefined && store.error === undefined)
    return <SkeletonRows rows={6} rowHeight={52} label={t('Connection')} />;
  if (item === undefined)
    return (
      <ErrorState title={t('The connection could not be read')} error={store.error} onRetry={() => void store.load()} />
    );
  return (
    <>
      <ConnectionCard key={id} store={store} item={item} {...rest} />
      <ConnectorConfetti store={confetti} />
    </>
  );
});
