import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const MIN_PX = 400;
const MAX_PX = 720;
const STEP_PX = 20;
export const DEFAULT_PANEL_PX = 480;
const STORAGE_KEY = 'bw-panel-width';

const within = (width: number): number => Math.round(Math.min(MAX_PX, Math.max(MIN_PX, width)));

/** Width of the panel, kept in this browser. */
export const usePanelWidth = (): [number, (width: number) => void] => {
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

export interface PanelGripProps {
  width: number;
  onWidth: (width: number) => void;
}

/** The panel's left edge: dragged, or moved by the arrow keys. */
export function PanelGrip({ width, onWidth }: PanelGripProps) {
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
      aria-label="Width of the panel"
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
