import { Button } from '@blueprintjs/core';
import { Star, StarEmpty } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { t } from '../../../platform/ui/language/translate.ts';
import type { SavedView, SavedViewsStore } from './saved-views.store.ts';

interface StarButtonProps {
  views: SavedViewsStore;
  saved: SavedView;
}

/** Puts a view into the person's navigation, or takes it out. */
export const StarButton = observer(function StarButton({ views, saved }: StarButtonProps) {
  const { name, starred } = saved;
  const label = starred
    ? t('Take {name} out of the navigation', { name })
    : t('Show {name} in the navigation', { name });
  return (
    <Button
      className="view-star"
      variant="minimal"
      size="small"
      icon={starred ? <Star /> : <StarEmpty />}
      aria-label={label}
      aria-pressed={starred}
      title={label}
      disabled={views.isBusy}
      onClick={() => void views.star(saved)}
    />
  );
});
