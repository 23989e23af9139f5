import { Button } from '@blueprintjs/core';
import { CloudUpload, Cube } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { InstallDialog } from './install-dialog.tsx';
import { InstalledPluginsStore } from './installed.store.ts';
import { ManagePlugin } from './manage-plugin.tsx';
import { PluginCard } from './plugin-card.tsx';
import '../../platform/ui/display/approval.css';
import './installed.css';

const Body = observer(function Body({ store, isOperator }: { store: InstalledPluginsStore; isOperator: boolean }) {
  const { items, error } = store;
  if (error !== undefined)
    return <ErrorState title={t('The plugins could not be read')} error={error} onRetry={() => void store.load()} />;
  if (items === undefined) return <SkeletonRows rows={6} rowHeight={64} label={t('Plugins')} />;
  if (items.length === 0)
    return (
      <EmptyState icon={<Cube size={20} />} title={t('No plugin is installed yet')}>
        {isOperator
          ? t(
              'Install one from a file or from the npm registry. Admins of organisations then decide whether they use it.',
            )
          : t(
              'Whoever runs this installation adds plugins. Once one is there, you decide here whether your organisation uses it.',
            )}
      </EmptyState>
    );
  return (
    <div className="offer-cards">
      {items.map((item) => (
        <PluginCard key={item._id} item={item} actions={<ManagePlugin store={store} item={item} />} />
      ))}
    </div>
  );
});

/** `/connector/plugins`: plugins that the operator installed, and what the organisation uses of them. */
export const PluginsScreen = observer(function PluginsScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const isOperator = can(user?.role, 'platform.write');
  const [store] = useState(() => new InstalledPluginsStore(api, isOperator));
  const [isInstalling, setIsInstalling] = useState(false);
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  return (
    <div className="list-page">
      <PageHead title={t('Plugins')}>
        <Link className="small" to="/connector/providers">
          {t('Show all connectors')}
        </Link>
        {isOperator && (
          <Button
            intent="primary"
            icon={<CloudUpload aria-hidden={true} />}
            text={t('Install a plugin')}
            onClick={() => setIsInstalling(true)}
          />
        )}
      </PageHead>
      <div className="list-body">
        <div className="canvas">
          <div className="page">
            <Body store={store} isOperator={isOperator} />
          </div>
        </div>
      </div>
      {isInstalling && <InstallDialog store={store} onClose={() => setIsInstalling(false)} />}
    </div>
  );
});
