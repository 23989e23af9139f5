/** A line of the palette. */
export interface PaletteLine {
  id: string;
  label: string;
  detail?: string | undefined;
  /** The key that does the same. */
  hotkey?: string | undefined;
  run: () => void;
}

export interface PaletteGroup {
  title: string;
  lines: readonly PaletteLine[];
  /** Known here, without the server: such a group that fits well stays on top, so that nothing moves when answers come. */
  isLocal?: boolean;
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well a label fits what was typed: 3 the same, 2 begins with it, 1 every word begins a word, 0 holds every word, -1 not. */
export const fitOf = (label: string, text: string): number => {
  const own = label.toLowerCase();
  const typed = wordsOf(text);
  const whole = typed.join(' ');
  if (own === whole) return 3;
  if (own.startsWith(whole)) return 2;
  const starts = own.split(/[^\p{L}\p{N}]+/u);
  if (typed.every((word) => starts.some((start) => start.startsWith(word)))) return 1;
  return typed.every((word) => own.includes(word)) ? 0 : -1;
};

const bestFit = (group: PaletteGroup, text: string): number =>
  Math.max(...group.lines.map((line) => fitOf(line.label, text)));

/**
 * Groups in the order in which they show: what is known here and fits from the beginning of a word, then the rest by its best line. Groups
 * that fit equally keep their order; so do lines that the server ordered. Pure.
 */
export const rankGroups = (groups: readonly PaletteGroup[], text: string): PaletteGroup[] => {
  const filled = groups.filter(({ lines }) => lines.length > 0);
  if (text === '') return filled;
  const placeOf = (group: PaletteGroup): number => {
    const fit = bestFit(group, text);
    return group.isLocal === true && fit >= 1 ? fit + 10 : fit;
  };
  return filled
    .map((group) => ({ group, place: placeOf(group) }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ group }) => group);
};

/** The lines that fit, best first. Pure. */
export const fitting = (lines: readonly PaletteLine[], text: string): PaletteLine[] =>
  lines
    .map((line) => ({ line, fit: fitOf(`${line.label} ${line.detail ?? ''}`, text) }))
    .filter(({ fit }) => fit >= 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ line }) => line);
