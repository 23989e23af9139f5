import { Button } from '@blueprintjs/core';
import { Cross, Link as LinkIcon } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { useService } from '../../../platform/ui/data/services.tsx';
import { copyText } from '../../../platform/ui/feedback/clipboard.ts';
import { useRaisedToasts } from '../../../platform/ui/feedback/toast-area.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { languageOf, t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { type ConnectorItem, titleOf } from '../data/connector.ts';
import { mainActionOf } from '../data/connector-state.ts';
import { categoryTitle } from '../data/connector-text.ts';
import type { ConnectorsStore } from '../data/connectors.store.ts';
import { ConnectorDetail } from '../detail/connector-detail.tsx';
import { cardLink } from './connector-view.ts';

const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role="dialog"], [role="menu"], [role="listbox"], .q') !== null;

/** Esc closes the panel, also out of a field: a changed form asks first. */
const useEscape = (onEscape: () => void): void => {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isElsewhere(event.target)) return;
      onEscape();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  });
};

export interface ConnectorPanelProps {
  store: ConnectorsStore;
  item: ConnectorItem;
  onClose: () => void;
}

/** A connector beside the catalogue, with an address of its own. */
export const ConnectorPanel = observer(function ConnectorPanel({ store, item, onClose }: ConnectorPanelProps) {
  const toasts = useService(TOASTS);
  const role = useService(SESSION).user?.role;
  const titleRef = useRef<HTMLHeadingElement>(null);
  const { attributes } = item;
  useEffect(() => {
    // Opened by its address, the card may be far down.
    cardLink(item._id)?.scrollIntoView({ block: 'center' });
    titleRef.current?.focus({ preventScroll: true });
  }, [item._id]);
  useEscape(onClose);
  useRaisedToasts();
  const isFirst = mainActionOf(attributes, role) === 'set-up';
  return (
    <aside className="panel conn-panel" aria-label={titleOf(attributes)}>
      <header>
        <div className="tools">
          <span className="muted small">{categoryTitle(attributes.category)}</span>
          <span className="grow" />
          <Button
            variant="minimal"
            size="small"
            icon={<LinkIcon />}
            aria-label={t('Copy address')}
            title={t('Copy address')}
            onClick={() => void copyText(window.location.href, toasts)}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Cross />}
            aria-label={t('Close')}
            title={t('Close (Esc)')}
            onClick={onClose}
          />
        </div>
        <h2 className="t" ref={titleRef} tabIndex={-1}>
          {isFirst ? t('Set up {title}', { title: titleOf(attributes) }) : titleOf(attributes)}
        </h2>
        <p className="t2 small" lang={languageOf(attributes.description)}>
          {t(attributes.description)}
        </p>
      </header>
      <ConnectorDetail store={store} item={item} />
    </aside>
  );
});
