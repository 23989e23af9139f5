import { formatAge, formatExact } from '../../../platform/ui/display/formats.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import type { ComponentItem } from './components.store.ts';

type Attributes = Pick<ComponentItem['attributes'], 'published' | 'version'>;

export const dayText = (day: string | null): string => (day === null ? t('Not known') : formatExact(day));

/** `3 years ago`, with the day in its tooltip. */
export function ReleaseAge({ day }: { day: string | null }) {
  if (day === null) return <span className="muted">{t('Not known')}</span>;
  return (
    <time dateTime={day} title={formatExact(day)}>
      {formatAge(day)}
    </time>
  );
}

/** Whether the version in use is the newest that was published. */
export const isNewest = ({ published, version }: Attributes): boolean =>
  published?.newest_version != null && published.newest_version === version?.trim();

/** The newest published version and how long it has been out. */
export const newestText = (attributes: Attributes): string => {
  const { newest_version: version, newest_released_on: day } = attributes.published ?? {};
  if (version == null) return t('Not known');
  if (isNewest(attributes)) return t('This is the newest published version');
  return day == null ? version : t('{version}, published {age}', { version, age: formatAge(day) });
};

export function NewestVersion({ attributes }: { attributes: Attributes }) {
  const version = attributes.published?.newest_version ?? null;
  if (version === null) return <span className="muted">{t('Not known')}</span>;
  return isNewest(attributes) ? <span className="muted">{t('In use')}</span> : <span className="mono">{version}</span>;
}

/** Both in a line, for phones; empty where nothing is known. */
export const releaseLine = (attributes: Attributes): string => {
  const { released_on: day, newest_version: newest } = attributes.published ?? {};
  const parts = [
    day == null ? '' : t('released {age}', { age: formatAge(day) }),
    newest == null || isNewest(attributes) ? '' : t('newest {version}', { version: newest }),
  ];
  return parts.filter((part) => part !== '').join(' · ');
};
