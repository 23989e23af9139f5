import { parsePreferences } from '@breakwater/core/platform/model/locale.ts';

const isEnglish = (language: unknown): boolean => typeof language === 'string' && /^en\b/i.test(language);

/**
 * Whether the interface will be in English, with English figures: translations come with the application.
 * @param stored preferences of whoever used this browser last (`LOCALE_KEY`), as they are kept; may be anything
 * @param preferred languages that the browser asks for, best first
 */
export const showsEnglish = (stored: string | null, preferred: readonly string[]): boolean => {
  const { language, number_format: figures } = parsePreferences(stored);
  if (figures !== null && !isEnglish(figures)) return false;
  return isEnglish(language ?? preferred[0]);
};
