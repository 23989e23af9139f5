/** What a person has chosen; null follows the browser, or the language. */
export interface LocalePreferences {
  /** BCP 47 of a language of the interface. */
  language: string | null;
  /** IANA. */
  time_zone: string | null;
  /** BCP 47 of a place whose figures are written so. */
  number_format: string | null;
  /** How dense tables are; null is the usual height of rows. */
  density: Density | null;
}

export const DENSITIES = ['compact'] as const;
export type Density = (typeof DENSITIES)[number];

export const NO_PREFERENCES: LocalePreferences = {
  language: null,
  time_zone: null,
  number_format: null,
  density: null,
};

/** One place for each way to write figures: 1,234.5 · 1.234,5 · 1 234,5 · 1’234.5 · 12,34,567.5. */
export const NUMBER_FORMATS = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN'] as const;

const isKnown = (ask: () => boolean): boolean => {
  try {
    return ask();
  } catch {
    return false;
  }
};

/** Whether `Intl` knows the time zone by this name; an offset such as `+02:00` is none. */
export const isTimeZone = (id: string): boolean =>
  isKnown(
    () => /^[A-Za-z]/.test(id) && new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone !== '',
  );

/** Whether `Intl` writes figures and dates of this language or place. */
export const isLocale = (id: string): boolean => isKnown(() => Intl.NumberFormat.supportedLocalesOf(id).length > 0);
