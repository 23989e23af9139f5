import { Button, PopoverNext, PopupKind } from '@blueprintjs/core';
import { Bookmark, CaretDown } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import type { SavedViewsProps } from './saved-views.tsx';

// The list shows without it: it comes when the menu is opened.
const LazySavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));

/** The saved views: the active one by name, with a mark where the list has been changed since. */
export const SavedViewsMenu = observer(function SavedViewsMenu(props: SavedViewsProps) {
  const { views, view } = props;
  const name = views.active?.name;
  const isChanged = views.isChanged(view);
  return (
    <PopoverNext
      content={
        <Suspense fallback={null}>
          <LazySavedViews {...props} />
        </Suspense>
      }
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
    >
      <Button
        className="views-button"
        icon={<Bookmark />}
        endIcon={<CaretDown />}
        aria-label={name === undefined ? 'Views' : `View ${name}${isChanged ? ', changed' : ''}`}
      >
        <span className="trunc">{name ?? 'Views'}</span>
        {isChanged && <span className="views-mark">changed</span>}
      </Button>
    </PopoverNext>
  );
});
