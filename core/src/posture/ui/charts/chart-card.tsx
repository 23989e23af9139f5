import { HorizontalBarChart, Th } from '@blueprintjs/icons';
import type { EChartsOption } from 'echarts';
import { observer } from 'mobx-react-lite';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ErrorBoundary } from '../../../platform/ui/feedback/placeholders.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { THEME } from '../../../platform/ui/page/theme.store.ts';
import type { ChosenBar } from './chart-canvas.tsx';
import { type ChartTokens, readTokens } from './chart-options.ts';

const ChartCanvas = lazy(async () => ({ default: (await import('./chart-canvas.tsx')).ChartCanvas }));

/** More bars than this do not fit with their labels whole. */
const TALL_FROM = 7;

type View = 'chart' | 'table';

const VIEWS = [
  { view: 'chart', label: msg('Chart'), icon: <HorizontalBarChart size={14} /> },
  { view: 'table', label: msg('Table'), icon: <Th size={14} /> },
] as const;

function ViewSwitch({ view, title, onView }: { view: View; title: string; onView: (view: View) => void }) {
  return (
    <fieldset className="bp6-segmented-control view-switch">
      <legend className="sr">{t('View of {title}', { title })}</legend>
      {VIEWS.map((one) => (
        <button
          key={one.view}
          type="button"
          className={`bp6-button bp6-segment ${one.view === view ? 'is-on' : ''}`}
          aria-label={t(one.label)}
          title={t(one.label)}
          aria-pressed={one.view === view}
          onClick={() => onView(one.view)}
        >
          {one.icon}
        </button>
      ))}
    </fieldset>
  );
}

export interface ChartCardProps {
  title: string;
  sub: string;
  /** Draws with the colours of the mode that shows now. */
  option: (tokens: ChartTokens, description: string) => EChartsOption;
  table: ReactNode;
  legend?: ReactNode;
  /** Bars that lie below each other: many of them need a taller card. */
  rows?: number;
  /** Beside the switch: a period. */
  controls?: ReactNode;
  /** Replaces the chart: an error, or the sentence of an empty one. */
  instead?: ReactNode;
  onChoose: (bar: ChosenBar) => void;
}

/** One chart with its numbers as a table behind a switch. Redrawn when the colour mode changes. */
export const ChartCard = observer(function ChartCard(props: ChartCardProps) {
  const { title, sub, option, table, legend, controls, instead, onChoose, rows = 0 } = props;
  const [view, setView] = useState<View>('chart');
  const { isDark } = useService(THEME);
  const description = t('{title}: {sub}. The table view holds the numbers.', { title, sub });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens are other ones in the other mode
  const tokens = useMemo(() => readTokens(document.documentElement), [isDark]);
  return (
    <section className={`bp6-card chart ${rows > TALL_FROM ? 'is-tall' : ''}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {controls}
        <ViewSwitch view={view} title={title} onView={setView} />
      </header>
      <div className="sub">{sub}</div>
      {instead ??
        (view === 'table' ? (
          <div className="chart-table">{table}</div>
        ) : (
          <ErrorBoundary title={t('The chart could not be drawn')}>
            <Suspense fallback={<Skeleton width="60%" />}>
              <figure>
                <ChartCanvas option={option(tokens, description)} onChoose={onChoose} />
              </figure>
            </Suspense>
            {legend}
          </ErrorBoundary>
        ))}
    </section>
  );
});
