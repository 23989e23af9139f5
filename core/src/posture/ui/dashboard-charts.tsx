import { Button } from '@blueprintjs/core';
import { ArrowLeft, ArrowRight, EyeOff, EyeOn } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { t } from '../../platform/ui/language/translate.ts';
import type { BoardCard } from '../model/board.ts';
import type { BoardStore } from './board.store.ts';
import { CARDS } from './board-cards.tsx';
import { ChartControls } from './board-controls.tsx';
import type { DashboardStore } from './dashboard.store.ts';
import { SeverityLegend } from './series-card.tsx';

/** Whether a card has nothing to draw: it is one of a line of names instead. */
const isFolded = (store: DashboardStore, card: BoardCard): boolean =>
  card === 'severity' ? store.totals?.open === 0 : store.charts.isEmpty(card);

interface ArrangedProps {
  board: BoardStore;
  card: BoardCard;
  children: ReactNode;
}

/** A card with what an admin may do to its place. */
const Arranged = observer(function Arranged({ board, card, children }: ArrangedProps) {
  const title = t(CARDS[card].title);
  const isHidden = board.board.hidden.includes(card);
  return (
    <div className={`arranged ${isHidden ? 'is-hidden' : ''}`}>
      <div className="row arranged-bar">
        <span className="grow strong">{title}</span>
        {!isHidden && (
          <>
            <Button
              size="small"
              variant="minimal"
              icon={<ArrowLeft />}
              aria-label={t('Move {title} forward', { title })}
              onClick={() => board.move(card, -1)}
            />
            <Button
              size="small"
              variant="minimal"
              icon={<ArrowRight />}
              aria-label={t('Move {title} back', { title })}
              onClick={() => board.move(card, 1)}
            />
          </>
        )}
        <Button
          size="small"
          variant="minimal"
          icon={isHidden ? <EyeOn /> : <EyeOff />}
          text={isHidden ? t('Show it') : t('Hide it')}
          aria-label={isHidden ? t('Show {title}', { title }) : t('Hide {title}', { title })}
          onClick={() => board.toggle(card)}
        />
      </div>
      {!isHidden && children}
    </div>
  );
});

/** The charts that have nothing to show, in one line. */
const FoldedCharts = observer(function FoldedCharts({ cards }: { cards: readonly BoardCard[] }) {
  if (cards.length === 0) return null;
  return (
    <p className="muted small folded-charts">
      {t('Nothing to show in: {charts}', { charts: cards.map((card) => t(CARDS[card].title)).join(' · ') })}
    </p>
  );
});

/** The charts of the dashboard in the order of the board, those without a figure folded away, under one legend. */
export const DashboardCharts = observer(function DashboardCharts({ store }: { store: DashboardStore }) {
  const { board } = store;
  if (board.draft !== undefined) {
    return (
      <div className="cards dashboard-cards">
        {board.board.cards.map((card) => (
          <Arranged key={card} board={board} card={card}>
            {CARDS[card].card(store)}
          </Arranged>
        ))}
      </div>
    );
  }
  const folded = board.shown.filter((card) => isFolded(store, card));
  return (
    <>
      <div className="row chart-bar">
        <SeverityLegend />
        <ChartControls store={store} />
      </div>
      <div className="cards dashboard-cards">
        {board.shown
          .filter((card) => !folded.includes(card))
          .map((card) => (
            <div key={card} className="card-place">
              {CARDS[card].card(store)}
            </div>
          ))}
      </div>
      <FoldedCharts cards={folded} />
    </>
  );
});
