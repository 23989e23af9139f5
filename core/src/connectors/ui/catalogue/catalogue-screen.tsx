import { Button } from '@blueprintjs/core';
import { DataConnection, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../../platform/ui/page/use-address-view.ts';
import type { ConnectorItem } from '../data/connector.ts';
import { categoryTitle, countsLine } from '../data/connector-text.ts';
import type { ConnectorsStore } from '../data/connectors.store.ts';
import { useConnectors } from '../data/use-connectors.ts';
import { CatalogueBar } from './catalogue-bar.tsx';
import { CardsSkeleton, ConnectorCard } from './connector-card.tsx';
import { ConnectorConfetti } from './connector-confetti.tsx';
import {
  CATALOGUE_VIEW,
  type CatalogueGroup,
  type CatalogueView,
  cardLink,
  formatCatalogueView,
  groupItems,
  isToolCategory,
  shownItems,
} from './connector-view.ts';
import './connectors.css';

/** The panel with its form is a chunk of its own: the cards show before it has come. */
const loadPanel = async () => ({ default: (await import('./connector-panel.tsx')).ConnectorPanel });
const ConnectorPanel = lazy(loadPanel);

function WaitingPanel() {
  return (
    <aside className="panel conn-panel" aria-label={t('Connector')}>
      <SkeletonRows rows={8} rowHeight={44} label={t('The connector')} />
    </aside>
  );
}

interface CatalogueProps {
  store: ConnectorsStore;
  items: readonly ConnectorItem[] | undefined;
  view: CatalogueView;
  onView: OnView<CatalogueView>;
}

/** Why there is no card, by what is searched: nothing, a text, categories, or both. */
const NO_MATCH = {
  all: {
    plain: msg('No connector matches'),
    named: msg('No connector matches “{search}”'),
    within: msg('No connector matches in {categories}'),
    both: msg('No connector matches “{search}” in {categories}'),
  },
  connected: {
    plain: msg('No connector is connected'),
    named: msg('No connector is connected that matches “{search}”'),
    within: msg('No connector is connected in {categories}'),
    both: msg('No connector is connected in {categories} that matches “{search}”'),
  },
  attention: {
    plain: msg('No connector needs attention'),
    named: msg('No connector needs attention that matches “{search}”'),
    within: msg('No connector needs attention in {categories}'),
    both: msg('No connector needs attention in {categories} that matches “{search}”'),
  },
} as const;

const emptyTitle = ({ search, tab, categories: chosen }: CatalogueView): string => {
  const texts = NO_MATCH[tab];
  const categories = chosen.map(categoryTitle).join(', ');
  if (search === '') return chosen.length === 0 ? t(texts.plain) : t(texts.within, { categories });
  return chosen.length === 0 ? t(texts.named, { search }) : t(texts.both, { search, categories });
};

function NothingFound({ view, onView }: Pick<CatalogueProps, 'view' | 'onView'>) {
  const clear = () => onView({ search: '', categories: [], tab: 'all' });
  return (
    <EmptyState
      icon={view.search === '' ? <DataConnection size={20} /> : <Search size={20} />}
      title={emptyTitle(view)}
      actions={
        <>
          {view.search !== '' && <Button text={t('Clear the search')} onClick={() => onView({ search: '' })} />}
          <Button variant={view.search === '' ? 'solid' : 'minimal'} text={t('Show all connectors')} onClick={clear} />
        </>
      }
    />
  );
}

interface GroupProps extends Omit<CatalogueProps, 'items'> {
  group: CatalogueGroup;
}

const Group = observer(function Group({ store, group, view, onView }: GroupProps) {
  const title = categoryTitle(group.category);
  return (
    <section aria-label={title}>
      <div className="gh">
        <h2>{title}</h2>
        <span className="count tn">{countsLine(group.items)}</span>
      </div>
      <div className="cgrid">
        {group.items.map((item) => (
          <ConnectorCard
            key={item._id}
            store={store}
            item={item}
            href={`?${formatCatalogueView({ ...view, open: item._id })}`}
            isOpen={view.open === item._id}
            onOpen={() => onView({ open: item._id })}
          />
        ))}
      </div>
    </section>
  );
});

const Catalogue = observer(function Catalogue({ store, items, view, onView }: CatalogueProps) {
  if (items === undefined) {
    return store.error === undefined ? (
      <CardsSkeleton />
    ) : (
      <ErrorState title={t('The connectors could not be read')} error={store.error} onRetry={() => void store.load()} />
    );
  }
  const shown = shownItems(items, view);
  if (shown.length === 0) return <NothingFound view={view} onView={onView} />;
  return (
    <div className="page catalogue">
      {groupItems(shown).map((group) => (
        <Group key={group.category} store={store} group={group} view={view} onView={onView} />
      ))}
    </div>
  );
});

/** The card whose panel was open takes the focus back. */
const focusCard = (address: string): void => {
  requestAnimationFrame(() => cardLink(address)?.focus());
};

interface PageProps {
  title: string;
  /** Which cards the page is about. */
  isShown: (item: ConnectorItem) => boolean;
  aside: React.ReactNode;
}

const CataloguePage = observer(function CataloguePage({ title, isShown, aside }: PageProps) {
  const { store, confetti } = useConnectors();
  const [view, onView] = useAddressView(CATALOGUE_VIEW);
  const items = store.items?.filter(isShown);
  const open = view.open === undefined ? undefined : store.find(view.open);
  useEffect(() => {
    // Most people open a card next; a failure here happens again, and is shown, when they do.
    loadPanel().catch(() => undefined);
  }, []);
  const close = () => {
    onView({ open: undefined });
    if (view.open !== undefined) focusCard(view.open);
  };
  return (
    <div className="list-page connectors">
      <PageHead
        title={title}
        aside={items !== undefined && <span className="muted small tn">{countsLine(items)}</span>}
      >
        {aside}
      </PageHead>
      <CatalogueBar items={items ?? []} view={view} onView={onView} />
      <div className="list-body split">
        <div className="canvas">
          <Catalogue store={store} items={items} view={view} onView={onView} />
        </div>
        {open !== undefined && (
          <Suspense fallback={<WaitingPanel />}>
            <ConnectorPanel key={open._id} store={store} item={open} onClose={close} />
          </Suspense>
        )}
      </div>
      <ConnectorConfetti store={confetti} />
    </div>
  );
});

const isTool = ({ attributes }: ConnectorItem): boolean => isToolCategory(attributes.category);

/** Everything that can be connected. */
export function ProvidersScreen() {
  return (
    <CataloguePage
      title={t('Connectors')}
      isShown={() => true}
      aside={
        <>
          <Link className="small" to="/connector/tools">
            {t('Show tools only')}
          </Link>
          <Link className="small" to="/connector/published">
            {t('Published connectors')}
          </Link>
          <Link className="small" to="/connector/plugins">
            {t('Plugins')}
          </Link>
        </>
      }
    />
  );
}

/** The scanners among the connectors. */
export function ToolsScreen() {
  return (
    <CataloguePage
      title={t('Tools')}
      isShown={isTool}
      aside={
        <Link className="small" to="/connector/providers">
          {t('Show all connectors')}
        </Link>
      }
    />
  );
}
