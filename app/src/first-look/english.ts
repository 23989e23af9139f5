const isEnglish = (language: unknown): boolean => typeof language === 'string' && /^en\b/i.test(language);

const textOrNull = (value: unknown, key: string): string | null => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : null;
  return typeof found === 'string' ? found : null;
};

/**
 * Whether the interface will be in English, with English figures: translations come with the application.
 * @param stored preferences of whoever used this browser last (`LOCALE_KEY`), as they are kept; may be anything
 * @param preferred languages that the browser asks for, best first
 */
export const showsEnglish = (stored: string | null, preferred: readonly string[]): boolean => {
  let preferences: unknown = null;
  try {
    preferences = JSON.parse(stored ?? 'null');
  } catch {
    // of another release: the application reads it as no preference, too
  }
  const figures = textOrNull(preferences, 'number_format');
  if (figures !== null && !isEnglish(figures)) return false;
  return isEnglish(textOrNull(preferences, 'language') ?? preferred[0]);
};
