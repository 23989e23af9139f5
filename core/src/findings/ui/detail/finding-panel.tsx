import { Button, Tab, Tabs } from '@blueprintjs/core';
import { ChevronDown, ChevronUp, Cross, Error as ErrorIcon, Link as LinkIcon, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Static } from 'typebox';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SeverityBadge } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { copyText } from '../../../platform/ui/feedback/clipboard.ts';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { EmptyState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { useRaisedToasts } from '../../../platform/ui/feedback/toast-area.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { useUnsavedText } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { type FindingPlace, getFindingPlace } from '../../api/routes.ts';
import { titleOf } from '../../model/finding-text.ts';
import { toolLabel } from '../../model/labels.ts';
import { type DetailError, FindingDetailStore, type FindingDetails } from '../data/finding-detail.store.ts';
import { FindingSignals } from '../list/finding-summary.tsx';
import { useFindingsApi, useFindingsList } from '../triage/findings-context.ts';
import { besideInGroups } from '../triage/group-keys.ts';
import { useListKeys } from '../triage/use-triage.ts';
import { ConfirmationNote, FindingActions, ReviewNote } from './finding-actions.tsx';
import { FindingDecisions, isTextChanged, type TextsDraft, textOfDraft } from './finding-decisions.tsx';
import { FindingFix, type FixRequest } from './finding-fix.tsx';
import { FindingHistory } from './finding-history.tsx';
import { FindingOverview } from './finding-overview.tsx';
import { OtherResults } from './other-results.tsx';
import './finding-panel.css';
import '../triage/triage.css';

/** Place in the list, kept when a verdict takes the finding out of it: "next" then is what moved up. */
const usePosition = (id: string) => {
  const { store } = useFindingsList();
  const [kept, setKept] = useState(-1);
  // by the address, which is ahead of the list's current row
  const index = store.list.indexOf((row) => row._id === id);
  useEffect(() => {
    if (index >= 0) setKept(index);
  }, [index]);
  const isListed = index >= 0;
  const position = isListed ? index : kept;
  return { index, previous: position - 1, next: position < 0 ? -1 : isListed ? position + 1 : position };
};

/**
 * Place and neighbours of a finding that was opened by its address and is not among the rows that are loaded: in the order by priority.
 * Asked for once the list knows how many there are.
 */
const usePlace = (id: string, isListed: boolean) => {
  const { store } = useFindingsList();
  const api = useFindingsApi();
  const { total } = store;
  const { filters, search } = store.view;
  const [known, setKnown] = useState<{ id: string; place: PlaceInList } | undefined>(undefined);
  const isAsked = !isListed && total !== undefined && known?.id !== id;
  useEffect(() => {
    if (!isAsked) return;
    const abort = new AbortController();
    api.call(getFindingPlace, { params: { id }, query: { filters, search }, signal: abort.signal }).then(
      ({ data }) => setKnown({ id, place: data }),
      // a finding that cannot be shown says so itself
      () => undefined,
    );
    return () => abort.abort();
  }, [api, id, isAsked, filters, search]);
  return !isListed && known?.id === id ? known.place : undefined;
};

const useNeighbours = (id: string) => {
  const { store, hrefOf } = useFindingsList();
  const navigate = useNavigate();
  const { index, previous, next } = usePosition(id);
  const isKept = previous >= -1 && next >= 0;
  const byAddress = usePlace(id, index >= 0 || isKept);
  const go = async (target: number) => {
    const row = await store.list.fetchRow(target);
    if (row !== undefined) navigate(hrefOf(row._id), { replace: true });
  };
  const open = (target: string | null | undefined) =>
    target === null || target === undefined ? undefined : () => navigate(hrefOf(target), { replace: true });
  if (byAddress !== undefined) {
    const { place, total } = byAddress;
    return {
      place: place === null ? '' : t('{place} of {total}', { place, total }),
      onPrevious: open(byAddress.previous),
      onNext: open(byAddress.next),
    };
  }
  const { total } = store;
  if (store.view.groupBy !== undefined) {
    const within = (step: 1 | -1, target: number) => () => {
      const beside = besideInGroups(id, step);
      if (beside === undefined) void go(target);
      else navigate(hrefOf(beside), { replace: true });
    };
    return { place: '', onPrevious: within(-1, previous), onNext: within(1, next) };
  }
  const place = total === undefined ? formatNumber(index + 1) : t('{place} of {total}', { place: index + 1, total });
  return {
    place: index < 0 ? '' : place,
    onPrevious: previous >= 0 ? () => void go(previous) : undefined,
    onNext: next >= 0 && next < store.list.length ? () => void go(next) : undefined,
  };
};

type PlaceInList = Static<typeof FindingPlace>;

interface ToolsProps {
  id: string;
  onClose: () => void;
}

const PanelTools = observer(function PanelTools({ id, onClose }: ToolsProps) {
  const toasts = useService(TOASTS);
  const { place, onPrevious, onNext } = useNeighbours(id);
  const button = { variant: 'minimal', size: 'small' } as const;
  return (
    <div className="tools">
      <Button
        {...button}
        icon={<ChevronUp />}
        aria-label={t('Previous finding')}
        title={t('Previous finding (k)')}
        disabled={onPrevious === undefined}
        onClick={() => onPrevious?.()}
      />
      <Button
        {...button}
        icon={<ChevronDown />}
        aria-label={t('Next finding')}
        title={t('Next finding (j)')}
        disabled={onNext === undefined}
        onClick={() => onNext?.()}
      />
      <span className="muted small tn">{place}</span>
      <span className="grow" />
      <Button
        {...button}
        icon={<LinkIcon />}
        aria-label={t('Copy address')}
        title={t('Copy address')}
        onClick={() => void copyText(window.location.href, toasts)}
      />
      <Button
        {...button}
        icon={<Cross />}
        aria-label={t('Back to list')}
        title={t('Back to list (Esc)')}
        onClick={onClose}
      />
    </div>
  );
});

function Tags({ finding }: { finding: FindingDetails }) {
  return (
    <div className="row tags">
      <SeverityBadge severity={finding.severity} />
      <FindingSignals finding={finding} />
      {finding.cwe.map((id) => (
        <span key={id} className="bp6-tag bp6-minimal">
          {`CWE-${id}`}
        </span>
      ))}
      {finding.owasp !== null && <span className="bp6-tag bp6-minimal">{finding.owasp}</span>}
      <span className="bp6-tag bp6-minimal">{t(toolLabel(finding.tool))}</span>
      {finding.is_sample && <span className="bp6-tag bp6-minimal">{t('Sample data')}</span>}
    </div>
  );
}

const useDetail = (id: string): FindingDetailStore => {
  const api = useFindingsApi();
  const { triage } = useFindingsList();
  const [detail] = useState(() => new FindingDetailStore(api));
  useEffect(() => void detail.load(id), [detail, id]);
  useEffect(() => detail.dispose, [detail]);
  useEffect(() => triage.attach(detail), [triage, detail]);
  return detail;
};

interface PanelStyle extends CSSProperties {
  '--panel-width': string;
}

const panelStyle = (width: number): PanelStyle => ({ '--panel-width': `${width}px` });

/** A finding beside its list, with an address of its own. */
export const FindingPanel = observer(function FindingPanel() {
  const { id = '' } = useParams();
  const { listHref } = useFindingsList();
  const navigate = useNavigate();
  const detail = useDetail(id);
  const [width, setWidth] = usePanelWidth();
  const titleRef = useRef<HTMLHeadingElement>(null);
  const finding = detail.detail;
  const isShown = finding !== undefined;
  useEffect(() => {
    // a dialog that was opened while the finding came keeps the focus
    const isInDialog = document.activeElement?.closest('.bp6-overlay') != null;
    if (isShown && !isInDialog) titleRef.current?.focus({ preventScroll: true });
  }, [isShown]);
  const close = () => navigate(listHref);
  useListKeys({ Escape: close });
  return (
    <aside className="panel" aria-label={t('Finding')} style={panelStyle(width)}>
      <PanelGrip width={width} onWidth={setWidth} />
      <header>
        <PanelTools id={id} onClose={close} />
        <h2 className="t" ref={titleRef} tabIndex={-1}>
          {finding === undefined ? t('Finding') : titleOf(finding)}
        </h2>
        {finding !== undefined && <Tags finding={finding} />}
      </header>
      {detail.error !== undefined ? (
        <PanelError error={detail.error} onRetry={() => void detail.load(id)} onClose={close} />
      ) : finding === undefined ? (
        <SkeletonRows rows={8} rowHeight={44} label={t('The finding')} />
      ) : (
        <>
          <ReviewNote id={id} finding={finding} />
          <ConfirmationNote id={id} finding={finding} />
          <PanelBody key={id} id={id} detail={detail} finding={finding} />
          <PanelFooter id={id} finding={finding} />
        </>
      )}
    </aside>
  );
});

function PanelFooter(props: Parameters<typeof FindingActions>[0]) {
  useRaisedToasts();
  return (
    <footer>
      <FindingActions {...props} />
    </footer>
  );
}

interface PanelErrorProps {
  error: DetailError;
  onRetry: () => void;
  onClose: () => void;
}

/** Why the finding cannot be shown; the list beside it stays. Source: specification §8. */
function PanelError({ error, onRetry, onClose }: PanelErrorProps) {
  const isGone = error.status === 404;
  return (
    <div role="alert" className="panel-error">
      <EmptyState
        icon={isGone ? <Search size={20} /> : <ErrorIcon size={20} />}
        title={isGone ? t('Page not found') : t('Error Status: {status}', { status: String(error.status) })}
        actions={
          <>
            <Button text={t('Back to the list')} onClick={onClose} />
            {!isGone && <Button variant="minimal" text={t('Try again')} onClick={onRetry} />}
          </>
        }
      >
        {t(error.message)}
      </EmptyState>
    </div>
  );
}

interface BodyProps {
  id: string;
  detail: FindingDetailStore;
  finding: FindingDetails;
}

const PanelBody = observer(function PanelBody({ id, detail, finding }: BodyProps) {
  // what is half written stays while another tab shows, and is asked about before the finding is left
  const [draft, setDraft] = useState<TextsDraft | undefined>(undefined);
  useUnsavedText(
    t('Tags and notes of “{title}”', { title: titleOf(finding) }),
    isTextChanged(finding, draft) ? textOfDraft(draft) : '',
  );
  const { route } = useFindingsList();
  const [tab, setTab] = useState('overview');
  const [request, setRequest] = useState<FixRequest | undefined>(undefined);
  const ask = (kind: FixRequest['kind']) => {
    if (route.isReadOnly) return;
    setTab('fix');
    setRequest({ kind, count: (request?.count ?? 0) + 1 });
  };
  // a pull request is opened where its branch and target are shown, and nowhere else
  useListKeys({ r: () => ask('generate'), p: () => (tab === 'fix' || route.isReadOnly ? ask('open') : setTab('fix')) });
  const reload = useCallback(() => void detail.load(id), [detail, id]);
  const count = (value: number) => (value === 0 ? undefined : String(value));
  return (
    <>
      <ConfirmLeave isChanged={isTextChanged(finding, draft)} />
      <Tabs
        className="panel-tabs"
        id="finding-tabs"
        selectedTabId={tab}
        onChange={(next) => setTab(String(next))}
        renderActiveTabPanelOnly
        animate={false}
      >
        <Tab
          id="overview"
          title={t('Overview')}
          panel={<FindingOverview {...{ id, finding }} onFix={() => ask('generate')} />}
        />
        {!route.isReadOnly && (
          <Tab id="fix" title={t('Fix')} panel={<FindingFix id={id} request={request} onChanged={reload} />} />
        )}
        <Tab
          id="decisions"
          title={t('Decisions')}
          panel={<FindingDecisions {...{ id, finding, draft }} onDraft={setDraft} />}
        />
        <Tab
          id="others"
          title={t('Other results')}
          tagContent={count(finding.occurrences.length)}
          panel={<OtherResults id={id} finding={finding} detail={detail} />}
        />
        <Tab
          id="history"
          title={t('History')}
          tagContent={count(detail.history?.length ?? 0)}
          panel={<FindingHistory id={id} events={detail.history} />}
        />
      </Tabs>
    </>
  );
});

const MIN_PX = 400;
const MAX_PX = 720;
const STEP_PX = 20;
const DEFAULT_PANEL_PX = 480;
const STORAGE_KEY = 'bw-panel-width';

const within = (width: number): number => Math.round(Math.min(MAX_PX, Math.max(MIN_PX, width)));

/** Width of the panel, kept in this browser. */
const usePanelWidth = (): [number, (width: number) => void] => {
  const [width, setWidth] = useState(() => {
    const kept = Number(window.localStorage.getItem(STORAGE_KEY));
    return kept === 0 || Number.isNaN(kept) ? DEFAULT_PANEL_PX : within(kept);
  });
  const keep = (next: number) => {
    setWidth(within(next));
    window.localStorage.setItem(STORAGE_KEY, String(within(next)));
  };
  return [width, keep];
};

interface PanelGripProps {
  width: number;
  onWidth: (width: number) => void;
}

/** The panel's left edge: dragged, or moved by the arrow keys. */
function PanelGrip({ width, onWidth }: PanelGripProps) {
  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onWidth(window.innerWidth - event.clientX);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    onWidth(width + (event.key === 'ArrowLeft' ? STEP_PX : -STEP_PX));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable edge is a focusable separator (WAI-ARIA window splitter)
    <div
      className="panel-grip"
      role="separator"
      tabIndex={0}
      aria-label={t('Width of the panel')}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_PX}
      aria-valuemax={MAX_PX}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={handleMove}
      onKeyDown={handleKey}
    />
  );
}
