import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { PriorityList } from '../../findings/ui/index.ts';
import { formatDate, formatNumber } from '../../platform/ui/display/formats.ts';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { useFindingsHref } from './chart-place.ts';
import type { DashboardStore, WeekChanges } from './dashboard.store.ts';

interface StoreProps {
  store: DashboardStore;
}

const TopCard = observer(function TopCard({ store }: StoreProps) {
  const findingsHref = useFindingsHref();
  return (
    <section className="bp6-card top-card" aria-label={t('Fix first')}>
      <div className="row">
        <h2 className="grow">{t('Fix first')}</h2>
        <Link className="small" to={findingsHref()}>
          {t('All open findings')}
        </Link>
      </div>
      <div className="sub">{t('The highest priorities now')}</div>
      {store.top === undefined ? (
        <SkeletonRows rows={5} rowHeight={52} label={t('The first findings')} />
      ) : store.top.length === 0 ? (
        <p className="t2">{t('Nothing is open')}</p>
      ) : (
        <PriorityList rows={store.top} />
      )}
    </section>
  );
});

const signed = (count: number): string => (count > 0 ? `+${formatNumber(count)}` : formatNumber(count));

/** A figure of the week, and the application that most of it comes from. */
function Change({ label, of }: { label: string; of: WeekChanges['found'] }) {
  const { count, filters, most } = of;
  const findingsHref = useFindingsHref();
  return (
    <div className="change">
      <Link className="f" to={findingsHref(filters)} aria-label={`${formatNumber(count)} ${label}`}>
        {formatNumber(count)}
      </Link>
      <span>
        <span className="strong">{label}</span>
        {most !== null && (
          <span className="muted small">
            <Words
              of="{count} in {application}"
              count={formatNumber(most.count)}
              application={<Link to={findingsHref(most.filters)}>{most.name}</Link>}
            />
          </span>
        )}
      </span>
    </div>
  );
}

const otherText = (other: number): string =>
  other < 0
    ? plural(-other, '{count} left the list by a verdict', '{count} left the list by verdicts')
    : plural(other, '{count} came back to the list', '{count} came back to the list');

/** What changed in the last seven days: new less fixed, and what else moved the number of open findings. */
const WeekCard = observer(function WeekCard({ store }: StoreProps) {
  const { changes } = store;
  return (
    <section className="bp6-card top-card week-card" aria-label={t('Since last week')}>
      <h2>{t('Since last week')}</h2>
      {changes === undefined ? (
        <SkeletonRows rows={3} rowHeight={52} label={t('The changes of the week')} />
      ) : (
        <>
          <div className="sub">{t('Since {day}', { day: formatDate(changes.since) })}</div>
          <Change label={t('New findings')} of={changes.found} />
          <Change label={t('Fixed findings')} of={changes.fixed} />
          <div className="change is-net">
            <span className="f">{signed(changes.net)}</span>
            <span>
              <span className="strong">
                {changes.net === 0
                  ? t('As many open as a week ago')
                  : changes.net > 0
                    ? t('More open than a week ago')
                    : t('Fewer open than a week ago')}
              </span>
              {changes.other !== 0 && <span className="muted small">{otherText(changes.other)}</span>}
            </span>
          </div>
        </>
      )}
    </section>
  );
});

/** What a reader decides by: the highest priorities, and where things move. */
export function DashboardTop({ store }: StoreProps) {
  return (
    <div className="dashboard-top">
      <TopCard store={store} />
      <WeekCard store={store} />
    </div>
  );
}
