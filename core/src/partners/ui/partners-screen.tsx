import { Button } from '@blueprintjs/core';
import { People, Plus } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PartnerCard } from './partner-card.tsx';
import { PartnerDialog } from './partner-dialog.tsx';
import { type PartnerItem, PartnersStore } from './partners.store.ts';
import './partners.css';

/** What a superadmin does with a partner. */
const ManagePartner = observer(function ManagePartner({
  store,
  partner,
}: {
  store: PartnersStore;
  partner: PartnerItem;
}) {
  const toasts = useService(TOASTS);
  const [asked, setAsked] = useState<'change' | 'delete'>();
  const [isBusy, setIsBusy] = useState(false);
  const { name } = partner.attributes;
  const close = () => setAsked(undefined);
  const remove = async () => {
    setIsBusy(true);
    try {
      await store.remove(partner._id);
    } catch (failure) {
      toasts.showError(failure);
      setIsBusy(false);
      close();
    }
  };
  return (
    <>
      <Button
        text={t('Change')}
        aria-label={t('Change {partner}', { partner: name })}
        onClick={() => setAsked('change')}
      />
      <Button
        variant="minimal"
        text={t('Delete')}
        aria-label={t('Delete {partner}', { partner: name })}
        onClick={() => setAsked('delete')}
      />
      {asked === 'change' && <PartnerDialog store={store} partner={partner} onClose={close} />}
      <ActionDialog
        isOpen={asked === 'delete'}
        title={t('Delete {partner}', { partner: name })}
        consequence={t('It disappears from the list for everybody.')}
        actionLabel={t('Delete')}
        isDestructive={true}
        isBusy={isBusy}
        onAction={() => void remove()}
        onClose={close}
      />
    </>
  );
});

const Body = observer(function Body({ store, isManaging }: { store: PartnersStore; isManaging: boolean }) {
  const { partners, error } = store;
  if (error !== undefined) {
    return <ErrorState title={t('The partners could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (partners === undefined) return <SkeletonRows rows={5} rowHeight={64} label={t('Partners')} />;
  if (partners.length === 0) {
    return (
      <EmptyState icon={<People size={20} />} title={t('No partner yet')}>
        {isManaging
          ? t('Companies that you add are shown to everybody.')
          : t('Whoever runs this installation has not named any.')}
      </EmptyState>
    );
  }
  return (
    <div className="partner-cards">
      {partners.map((partner) => (
        <PartnerCard
          key={partner._id}
          partner={partner}
          actions={isManaging ? <ManagePartner store={store} partner={partner} /> : undefined}
        />
      ))}
    </div>
  );
});

/** `/partners`: companies that sell the product, help with it or work together with it. Source: specification §2. */
export const PartnersScreen = observer(function PartnersScreen() {
  const api = useService(API);
  const session = useService(SESSION);
  const isManaging = can(session.user?.role, 'partners.manage');
  const [store] = useState(() => new PartnersStore(api));
  const [isAdding, setIsAdding] = useState(false);
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  return (
    <div className="canvas">
      <PageHead title={t('Partners')}>
        {isManaging && (
          <Button
            intent="primary"
            icon={<Plus aria-hidden={true} />}
            text={t('Add a partner')}
            onClick={() => setIsAdding(true)}
          />
        )}
      </PageHead>
      <div className="page">
        <Body store={store} isManaging={isManaging} />
      </div>
      {isAdding && <PartnerDialog store={store} onClose={() => setIsAdding(false)} />}
    </div>
  );
});
