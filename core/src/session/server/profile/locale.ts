import type { FieldIssue } from '../../../platform/model/app-error.ts';
import { isLocale, isTimeZone, type LocalePreferences } from '../../../platform/model/locale.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';

/** How a person reads the interface. */
export const readLocale = (
  db: Db,
  { clientId, userId }: { clientId: string; userId: string },
): Promise<LocalePreferences> =>
  db
    .selectFrom('users')
    .select(['language', 'time_zone', 'number_format', 'density'])
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

const RULES = {
  language: { isKnown: isLocale, text: msg('There is no such language.') },
  time_zone: { isKnown: isTimeZone, text: msg('There is no such time zone. Name one as in Europe/Berlin.') },
  number_format: { isKnown: isLocale, text: msg('There is no such number format.') },
} as const;

/** Those that only `Intl` can judge. */
const NAMES = ['language', 'time_zone', 'number_format'] as const;
const PREFERENCES = [...NAMES, 'density'] as const;

/** What `Intl` does not know. */
export const localeIssues = (locale: Partial<LocalePreferences>): FieldIssue[] =>
  NAMES.flatMap((name) => {
    const value = locale[name];
    const { isKnown, text } = RULES[name];
    if (value === undefined || value === null || isKnown(value)) return [];
    return [{ loc: ['body', name], msg: text, type: 'locale' }];
  });

/** Which preferences differ. */
export const changedNames = (before: LocalePreferences, after: LocalePreferences) =>
  PREFERENCES.filter((name) => before[name] !== after[name]);
