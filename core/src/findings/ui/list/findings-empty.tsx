import { Button } from '@blueprintjs/core';
import { FilterRemove, Import, Shield, TickCircle } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { EmptyState } from '../../../platform/ui/feedback/placeholders.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import type { FindingView } from '../data/finding-view.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import { filterChips, isFiltered, lastChosen, withoutFilter, withoutFilters } from '../filters/filter-chips.ts';
import { useFindingsList } from '../triage/findings-context.ts';

export interface FindingsEmptyProps {
  store: FindingsStore;
  onView: (view: FindingView) => void;
}

/** The work to do is done. */
const AllDone = observer(function AllDone({ store }: { store: FindingsStore }) {
  const uploads = useService(UPLOADS);
  const { route } = useFindingsList();
  return (
    <div className="all-done">
      <EmptyState
        icon={<TickCircle size={32} />}
        title={t('All done. Good work!')}
        actions={
          !route.isReadOnly && (
            <>
              <Link className="bp6-button" to="/findings/all">
                {t('See what was decided')}
              </Link>
              <Button variant="minimal" text={t('Upload reports')} onClick={() => uploads.open()} />
            </>
          )
        }
      >
        {plural(
          store.doneTotal ?? 0,
          'The only finding is fixed or decided. Nothing waits for you here.',
          'All {count} findings are fixed or decided. Nothing waits for you here.',
        )}
      </EmptyState>
    </div>
  );
});

/** No row: names the filters and offers to remove the last one; without filters, how findings come in. */
export const FindingsEmpty = observer(function FindingsEmpty({ store, onView }: FindingsEmptyProps) {
  const uploads = useService(UPLOADS);
  const { route } = useFindingsList();
  const { view } = store;
  const chips = filterChips(view, store.nameOf);
  const last = lastChosen(view, chips);
  if (route.base !== 'all' && !isFiltered(view, route.base) && store.isAllDone) return <AllDone store={store} />;
  const isBare = last === undefined || store.hasNothing;
  if (isBare && route.isReadOnly) {
    return (
      <EmptyState
        icon={<Shield size={20} />}
        title={t('No findings yet')}
        actions={
          <Link className="bp6-button" to="/manage-clients">
            {t('All clients')}
          </Link>
        }
      >
        {t('This client has not imported a report that holds any.')}
      </EmptyState>
    );
  }
  if (isBare && uploads.isImporting) {
    return (
      <EmptyState
        icon={<Import size={20} />}
        title={t('Your reports are being read')}
        actions={<Button text={t('See how far they are')} onClick={() => uploads.open()} />}
      >
        {t('Findings appear here as soon as the first report is read.')}
      </EmptyState>
    );
  }
  if (isBare) {
    return (
      <EmptyState
        icon={<Shield size={20} />}
        title={t('No findings yet')}
        actions={<Button text={t('Upload reports')} onClick={() => uploads.open()} />}
      >
        {t('Findings appear once a report is uploaded. Drop files anywhere on this page.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<FilterRemove size={20} />}
      title={plural(chips.length, 'No finding matches this filter', 'No finding matches these {count} filters')}
      actions={
        <>
          <Button
            text={t('Remove {filter} {value}', { filter: last.label, value: last.value }).replaceAll(/ +/g, ' ')}
            onClick={() => onView(withoutFilter(view, last.key))}
          />
          {isFiltered(view, route.base) && (
            <Button variant="minimal" text={t('Reset')} onClick={() => onView(withoutFilters(view, route.base))} />
          )}
        </>
      }
    >
      {chips.map((chip) => `${chip.label} ${chip.value}`.trim()).join(', ')}.
    </EmptyState>
  );
});
