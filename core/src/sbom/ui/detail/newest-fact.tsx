import { Link } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatAge, formatExact } from '../../../platform/ui/display/formats.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { isNewest } from '../list/release-texts.tsx';
import type { ComponentDetails } from './component-detail.store.ts';

interface FactProps {
  detail: ComponentDetails;
}

/** How old the version in use is. */
export function ReleasedNote({ detail: { published, version_lookup: lookup } }: FactProps) {
  if (lookup.state !== 'found') return null;
  const day = published?.released_on ?? null;
  return (
    <span className="muted small license-note">
      {day === null ? (
        t('The day of its release is not known.')
      ) : (
        <time dateTime={day} title={formatExact(day)}>
          {t('Released {age}', { age: formatAge(day) })}
        </time>
      )}
    </span>
  );
}

/** What a registry has. */
function Published({ detail }: FactProps) {
  const { published, version_lookup: lookup } = detail;
  const { newest_version: version = null, newest_released_on: day = null } = published ?? {};
  const source = t('Published, according to {service}.', { service: lookup.service });
  if (version === null) {
    return (
      <>
        {t('Not known')}
        <span className="muted small license-note">{t('Its versions cannot be put in order.')}</span>
      </>
    );
  }
  return (
    <>
      {isNewest(detail) ? t('The one in use') : <span className="mono">{version}</span>}
      <span className="muted small license-note">
        {day !== null && !isNewest(detail) && (
          <>
            <time dateTime={day} title={formatExact(day)}>
              {t('Released {age}', { age: formatAge(day) })}
            </time>
            {'. '}
          </>
        )}
        {source}
      </span>
    </>
  );
}

/** Why no registry says which is the newest. */
const whyNot = ({ state, service }: ComponentDetails['version_lookup']): string => {
  switch (state) {
    case 'excluded':
      return t('It is on the list of private packages: no registry is asked.');
    case 'unsupported':
      return t('No registry is asked for components of this kind.');
    case 'waiting':
      return t('{service} has not been asked yet.', { service });
    case 'not_found':
      return t('{service} knows no package of this name.', { service });
    case 'unreadable':
      return t('The answer of {service} could not be read.', { service });
    default:
      return t('No registry is asked.');
  }
};

/** The newest version that inventories and reports name. */
function Known({ detail: { newest_known: newest } }: FactProps) {
  const source =
    newest === null
      ? t('Nothing here names a newer one.')
      : newest.repository === null
        ? t('Known from a report, which names it as fixed.')
        : t('Known from the inventory of {application}.', { application: newest.repository });
  return (
    <>
      {newest !== null && <span className="mono">{newest.version}</span>}
      <span className="muted small license-note">{source}</span>
    </>
  );
}

/** The newest version: the published one where it was looked up, else what is known here, and why no more. */
export function NewestFact({ detail }: FactProps) {
  const { user } = useService(SESSION);
  const { version_lookup: lookup, newest_known: known } = detail;
  if (lookup.state === 'found') {
    // above all that is published: a version of one's own
    const isAhead = known !== null && (isNewest(detail) || detail.published?.newest_version === null);
    return (
      <>
        <Published detail={detail} />
        {isAhead && <Known detail={detail} />}
      </>
    );
  }
  return (
    <>
      <Known detail={detail} />
      <span className="muted small license-note">
        {whyNot(lookup)}{' '}
        {lookup.state === 'off' && can(user?.role, 'settings.read') && (
          <Link to="/settings/newest-versions">{t('Look up newest versions')}</Link>
        )}
      </span>
    </>
  );
}
