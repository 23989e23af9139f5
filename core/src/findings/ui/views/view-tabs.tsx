import { Button } from '@blueprintjs/core';
import { People } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { defaultView, viewHref } from '../data/finding-view.ts';
import { BASE_TABS, ownViews } from './own-views.ts';
import { viewOf } from './saved-views.store.ts';
import type { SavedViewsProps } from './saved-views.tsx';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import { StarButton } from './star-button.tsx';

/** Beside the title: the name of the active view, and where the list shows something else, the way to keep that. */
export const ActiveView = observer(function ActiveView({ views, view }: Pick<SavedViewsProps, 'views' | 'view'>) {
  const { active } = views;
  if (active === undefined) return null;
  return (
    <span className="row active-view">
      <span className="t2 trunc" title={active.name}>
        {active.name}
      </span>
      <StarButton views={views} saved={active} />
      {views.isChanged(view) && (
        <>
          <span className="row views-mark">
            <span className="views-diamond" aria-hidden={true} />
            {t('Changed')}
          </span>
          {active.editable && (
            <Button
              variant="minimal"
              size="small"
              text={t('Update view')}
              disabled={views.isBusy}
              onClick={() => void views.update(view)}
            />
          )}
        </>
      )}
    </span>
  );
});

interface TabProps {
  name: string;
  /** Who shares it, where others see it. */
  sharedBy?: string | undefined;
  isCurrent: boolean;
  isDisabled?: boolean;
  onOpen: () => void;
}

function Tab({ name, sharedBy, isCurrent, isDisabled = false, onOpen }: TabProps) {
  return (
    <li>
      <button
        type="button"
        className="view-tab trunc"
        title={sharedBy === undefined ? name : t('{name}, shared by {owner}', { name, owner: sharedBy })}
        aria-current={isCurrent ? 'true' : undefined}
        disabled={isDisabled}
        onClick={onOpen}
      >
        {sharedBy !== undefined && <People size={12} aria-hidden={true} />}
        {name}
      </button>
    </li>
  );
}

interface ViewTabsProps extends SavedViewsProps {
  /** At the right end. */
  children?: ReactNode;
}

/** The views of a list side by side: how it begins for everybody first, then what is one's own, what was saved, and what others share. */
export const ViewTabs = observer(function ViewTabs({ views, view, base, onView, children }: ViewTabsProps) {
  const { user } = useService(SESSION);
  const { active } = views;
  const start = defaultView(base);
  const own = user === undefined ? [] : ownViews(user);
  const ofOwn = own.map(({ name, filters }) => ({
    name,
    view: { ...start, filters: { ...start.filters, ...filters } },
  }));
  const shown = viewHref({ ...view, groupBy: undefined, groupSort: undefined }, base);
  const isOwn = (one: (typeof ofOwn)[number]) => active === undefined && shown === viewHref(one.view, base);
  const leave = async (to: typeof view) => {
    if (active === undefined || (await views.setUsed(false))) onView(to);
  };
  return (
    <nav className="view-tabs" aria-label={t('Views of the list')}>
      <ul>
        <Tab
          name={t(BASE_TABS[base])}
          isCurrent={active === undefined && !ofOwn.some(isOwn)}
          isDisabled={views.isBusy}
          onOpen={() => void leave(start)}
        />
        {ofOwn.map((one) => (
          <Tab
            key={one.name}
            name={one.name}
            isCurrent={isOwn(one)}
            isDisabled={views.isBusy}
            onOpen={() => void leave(one.view)}
          />
        ))}
        {views.views.map((saved) => (
          <Tab
            key={saved._id}
            name={saved.name}
            sharedBy={saved.shared ? saved.owner : undefined}
            isCurrent={active?._id === saved._id}
            isDisabled={views.isBusy}
            onOpen={() => void views.activate(saved).then((isDone) => isDone && onView(viewOf(saved)))}
          />
        ))}
      </ul>
      <SavedViewsMenu views={views} view={view} base={base} onView={onView} />
      <span className="grow" />
      {children}
    </nav>
  );
});
