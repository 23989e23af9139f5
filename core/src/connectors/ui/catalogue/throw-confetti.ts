import { create } from 'canvas-confetti';

/** Above panel and dialogs, under nothing. */
const LAYER = 60;
const COLOR_TOKENS = ['--bw-violet-300', '--bw-violet-500', '--bw-violet-700', '--bw-ok', '--bw-medium'];

/**
 * One burst over the page in the colours of the mode that shows; nothing where the browser refuses to draw on a canvas. Without a
 * worker: the policy of the page lets none eval.
 * @returns what ends it at once.
 */
export const throwConfetti = (): (() => void) => {
  const style = getComputedStyle(document.documentElement);
  const colors = COLOR_TOKENS.map((token) => style.getPropertyValue(token).trim()).filter((color) => color !== '');
  const canvas = document.createElement('canvas');
  if (canvas.getContext('2d') === null) return () => undefined;
  canvas.className = 'confetti';
  canvas.setAttribute('aria-hidden', 'true');
  document.body.append(canvas);
  const burst = create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const own = colors.length === 0 ? {} : { colors };
  const ended = burst({ particleCount: 120, spread: 75, origin: { y: 0.65 }, zIndex: LAYER, ...own });
  void Promise.resolve(ended).then(() => canvas.remove());
  return () => {
    burst.reset();
    canvas.remove();
  };
};
