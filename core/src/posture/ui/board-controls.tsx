import { Button, HTMLSelect, Switch } from '@blueprintjs/core';
import { Export, GridView } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { saveBlob } from '../../platform/ui/data/save-blob.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { SCALES } from '../model/bar-lengths.ts';
import { CHART_PERIODS, DEFAULT_PERIOD } from '../model/charts.ts';
import type { BoardStore } from './board.store.ts';
import { namedCharts, PERIODS } from './board-cards.tsx';
import type { DashboardStore } from './dashboard.store.ts';
import { figuresCsv } from './figures-csv.ts';

/** The address says which period and scale a dashboard shows, so that it can be shared. */
export const useChartsAddress = ({ charts }: DashboardStore): void => {
  const [address] = useSearchParams();
  const [period, scale] = [address.get('period'), address.get('scale')];
  useEffect(() => {
    charts.setPeriod(CHART_PERIODS.find((one) => one === period) ?? DEFAULT_PERIOD);
    charts.setScale(SCALES.find((one) => one === scale) ?? 'linear');
  }, [charts, period, scale]);
};

/** What all charts show: the scale, the period, and the figures as a file. */
export const ChartControls = observer(function ChartControls({ store }: { store: DashboardStore }) {
  const { charts } = store;
  const [, setAddress] = useSearchParams();
  const put = (key: string, value: string | undefined) =>
    setAddress(
      (before) => {
        const address = new URLSearchParams(before);
        if (value === undefined) address.delete(key);
        else address.set(key, value);
        return address;
      },
      { replace: true },
    );
  const save = () => {
    const csv = figuresCsv([t('Chart'), t('Label'), t('Series'), t('Figure')], namedCharts(store));
    saveBlob(new Blob([csv], { type: 'text/csv' }), 'dashboard.csv');
  };
  return (
    <>
      <Switch
        className="scale-switch"
        label={t('Logarithmic')}
        checked={charts.scale === 'log'}
        onChange={({ currentTarget }) => put('scale', currentTarget.checked ? 'log' : undefined)}
      />
      <HTMLSelect
        aria-label={t('Period')}
        value={charts.period}
        onChange={({ currentTarget: { value } }) => put('period', value === DEFAULT_PERIOD ? undefined : value)}
        options={CHART_PERIODS.map((value) => ({ value, label: t(PERIODS[value].label) }))}
      />
      <Button icon={<Export />} text={t('Export figures')} onClick={save} />
    </>
  );
});

/** Begins to arrange the cards, for those who may. */
export const ArrangeButton = observer(function ArrangeButton({ board }: { board: BoardStore }) {
  const role = useService(SESSION).user?.role;
  if (!can(role, 'settings.write')) return null;
  return (
    <Button
      icon={<GridView />}
      text={t('Arrange')}
      disabled={board.draft !== undefined}
      title={board.draft === undefined ? undefined : t('You are arranging the dashboard')}
      onClick={board.arrange}
    />
  );
});

/** While an admin arranges the cards: what becomes of it. */
export const ArrangeBar = observer(function ArrangeBar({ board }: { board: BoardStore }) {
  const toasts = useService(TOASTS);
  if (board.draft === undefined) return null;
  const save = async () => {
    try {
      await board.save();
      toasts.show(t('Dashboard arranged for everyone'), { tone: 'done' });
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <div className="bp6-callout callout-n arrange-bar">
      <span className="grow">{t('Everyone in the organisation sees the cards in this order.')}</span>
      <Button size="small" variant="minimal" text={t('As delivered')} onClick={board.reset} />
      <Button size="small" text={t('Cancel')} onClick={board.cancel} />
      <Button size="small" text={t('Save for everyone')} loading={board.isSaving} onClick={() => void save()} />
    </div>
  );
});
