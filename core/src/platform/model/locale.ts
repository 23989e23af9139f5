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

const textOrNull = (value: object, key: keyof LocalePreferences): string | null => {
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : null;
};

/** @param stored preferences as a browser keeps them, in JSON; may be of another release, or anything */
export const parsePreferences = (stored: string | null): LocalePreferences => {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (typeof value !== 'object' || value === null) return NO_PREFERENCES;
    const [language, time_zone, number_format] = [
      textOrNull(value, 'language'),
      textOrNull(value, 'time_zone'),
      textOrNull(value, 'number_format'),
    ];
    const density = textOrNull(value, 'density') === 'compact' ? 'compact' : null;
    return { language, time_zone, number_format, density };
  } catch {
    return NO_PREFERENCES;
  }
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
