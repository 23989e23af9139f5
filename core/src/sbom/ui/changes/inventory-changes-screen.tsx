import { HTMLSelect } from '@blueprintjs/core';
import { Layers } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SeverityBadge } from '../../../platform/ui/display/badges.tsx';
import { formatExact, formatNumber } from '../../../platform/ui/display/formats.ts';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../../platform/ui/page/use-address-view.ts';
import type { InventoryChanges } from '../../api/changes-routes.ts';
import type { ChangeKind } from '../../model/inventory-changes.ts';
import { componentHref } from '../list/component-cells.tsx';
import { directText } from '../list/components.store.ts';
import { CHANGES_VIEW, type ChangesView, InventoryChangesStore } from './inventory-changes.store.ts';
import '../list/sbom.css';

type Change = InventoryChanges['changes'][number];
type Version = Change['before'][number];

const KIND_LABELS: Readonly<Record<ChangeKind, string>> = {
  upgraded: msg('Upgraded'),
  downgraded: msg('Downgraded'),
  changed: msg('Other version'),
  added: msg('Added'),
  removed: msg('Removed'),
};

const TOTAL_TEXTS = {
  upgraded: msg('{count} upgraded'),
  downgraded: msg('{count} downgraded'),
  changed: msg('{count} with another version'),
  added: msg('{count} added'),
  removed: msg('{count} removed'),
} as const satisfies Readonly<Record<ChangeKind, string>>;

/** Of a removed version its component is gone, and has no page. */
function Versions({ versions, isLinked }: { versions: readonly Version[]; isLinked: boolean }) {
  if (versions.length === 0) return null;
  return (
    <span className="row wrap mono">
      {versions.map(({ _id, version }) =>
        isLinked ? (
          <Link key={_id} className="link" to={componentHref(_id)}>
            {version ?? t('no version')}
          </Link>
        ) : (
          <span key={_id}>{version ?? t('no version')}</span>
        ),
      )}
    </span>
  );
}

const sum = (versions: readonly Version[], key: 'findings' | 'fixed'): number =>
  versions.reduce((total, version) => total + version[key], 0);

/** What the change means: findings of the version that came, and of the one that went. */
function Meaning({ before, after }: Change) {
  const [brought, left, closed] = [sum(after, 'findings'), sum(before, 'findings'), sum(before, 'fixed')];
  const worst = after.find(({ worst_severity }) => worst_severity !== null)?.worst_severity ?? null;
  return (
    <span className="row wrap">
      {brought > 0 && (
        <>
          {worst !== null && <SeverityBadge severity={worst} />}
          <span className="tn">{plural(brought, '{count} open finding', '{count} open findings')}</span>
        </>
      )}
      {closed > 0 && <span className="tn">{plural(closed, '{count} finding fixed', '{count} findings fixed')}</span>}
      {left > 0 && (
        <span className="tn muted">
          {plural(
            left,
            '{count} of the earlier version is still open',
            '{count} of the earlier version are still open',
          )}
        </span>
      )}
      {brought + left + closed === 0 && <span className="muted">{t('None')}</span>}
    </span>
  );
}

const directOf = ({ before, after }: Change): string => {
  const said = [...after, ...before].map(({ direct }) => direct).find((direct) => direct !== null);
  return directText(said ?? null);
};

function ChangesTable({ changes }: { changes: readonly Change[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="inventory-changes-scroll" tabIndex={0} aria-label={t('Changes')}>
      <table className="bw-table inventory-changes">
        <colgroup>
          <col className="col-component" />
          <col />
          <col />
          <col />
          <col />
          <col className="col-meaning" />
        </colgroup>
        <thead>
          <tr>
            <th>{t('Component')}</th>
            <th>{t('Kind of change')}</th>
            <th>{t('Before')}</th>
            <th>{t('After')}</th>
            <th>{t('Use')}</th>
            <th>{t('Findings')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={`${change.ecosystem} ${change.name}`}>
              <td>
                <span className="ttl">{change.name}</span> <span className="muted small">{change.ecosystem}</span>
              </td>
              <td>{t(KIND_LABELS[change.kind])}</td>
              <td>
                <Versions versions={change.before} isLinked={false} />
              </td>
              <td>
                <Versions versions={change.after} isLinked />
              </td>
              <td>{directOf(change)}</td>
              <td>
                <Meaning {...change} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ChoiceProps {
  data: InventoryChanges;
  onView: OnView<ChangesView>;
}

/** "24 Nov 2026, 14:00 (12 added, 3 removed)" */
const momentText = ({ at, added, removed }: InventoryChanges['moments'][number]): string =>
  t('{time} ({added} added, {removed} removed)', { time: formatExact(at), added, removed });

/** Which two inventories are compared. The later one cannot be before the earlier one. */
function Moments({ data: { moments, from, to }, onView }: ChoiceProps) {
  const options = moments.map((moment) => ({ value: moment.at, label: momentText(moment) }));
  return (
    <search className="row wrap">
      <HTMLSelect
        aria-label={t('Earlier inventory')}
        value={from ?? ''}
        options={options.filter(({ value }) => to === null || value < to)}
        onChange={(event) => onView({ from: event.currentTarget.value })}
      />
      <span className="muted">{t('compared with')}</span>
      <HTMLSelect
        aria-label={t('Later inventory')}
        value={to ?? ''}
        options={options.filter(({ value }) => from === null || value > from)}
        onChange={(event) => onView({ to: event.currentTarget.value })}
      />
    </search>
  );
}

const Body = observer(function Body({ data, onView }: ChoiceProps) {
  if (data.from === null || data.to === null)
    return (
      <EmptyState icon={<Layers size={20} />} title={t('Nothing to compare yet')}>
        {t('The inventory of this application has not changed since it was first imported.')}
      </EmptyState>
    );
  const counted = data.totals.filter(({ count }) => count > 0);
  const all = counted.reduce((total, { count }) => total + count, 0);
  return (
    <>
      <Moments data={data} onView={onView} />
      <p className="t2" role="status">
        {counted.length === 0
          ? t('The two inventories list the same.')
          : counted.map(({ kind, count }) => t(TOTAL_TEXTS[kind], { count })).join(', ')}
        {all > data.changes.length &&
          ` ${t('The first {count} are shown.', { count: formatNumber(data.changes.length) })}`}
      </p>
      {data.changes.length > 0 && <ChangesTable changes={data.changes} />}
    </>
  );
});

/** What came, went and was upgraded between two inventories of an application, and what that means for its findings. */
export const InventoryChangesScreen = observer(function InventoryChangesScreen() {
  const { id = '' } = useParams();
  const api = useService(API);
  const [store] = useState(() => new InventoryChangesStore(api));
  const [view, onView] = useAddressView(CHANGES_VIEW);
  useEffect(() => {
    void store.load(id, view);
    return store.dispose;
  }, [store, id, view]);
  const { changes, error } = store;
  return (
    <div className="canvas">
      <PageHead title={changes === undefined ? t('Changes') : t('Changes of {name}', { name: changes.repository })}>
        <Link className="bp6-button" to={`/sbom-findings?repository=${encodeURIComponent(id)}`}>
          {t('SBOM')}
        </Link>
      </PageHead>
      <div className="page">
        {error !== undefined && (
          <ErrorState
            title={t('The changes could not be read')}
            error={error}
            onRetry={() => void store.load(id, view)}
          />
        )}
        {error === undefined && changes === undefined && <SkeletonRows rows={8} rowHeight={36} label={t('Changes')} />}
        {error === undefined && changes !== undefined && <Body data={changes} onView={onView} />}
      </div>
    </div>
  );
});
