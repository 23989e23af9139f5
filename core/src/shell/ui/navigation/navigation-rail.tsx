import { Star } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Link, matchPath, useLocation } from 'react-router-dom';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatCount, formatNumber } from '../../../platform/ui/display/formats.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Brand } from '../layouts/frame-parts.tsx';
import { NAVIGATION, type NavigationEntry, type NavigationLink } from './navigation.store.ts';
import { usePrefetch } from './page-loading.ts';
import { FINDINGS_SCOPE, SCOPE, scopedPath } from './scope.store.ts';
import { SESSION } from './shell-ports.ts';

interface ItemProps {
  entry: NavigationEntry;
  /** One of the links to its views is the current item. */
  isAtLink?: boolean;
  onChoose?: (() => void) | undefined;
}

const isCurrent = ({ path, isExact = path === '/', alsoAt = [] }: NavigationEntry, address: string): boolean =>
  matchPath({ path, end: isExact }, address) !== null || alsoAt.some((one) => matchPath(one, address) !== null);

/** The mark leads to the dashboard of the scope. */
export const ScopedBrand = observer(function ScopedBrand() {
  return <Brand to={scopedPath('/', FINDINGS_SCOPE, useService(SCOPE).current)} />;
});

const NavigationItem = observer(function NavigationItem({ entry, isAtLink = false, onChoose }: ItemProps) {
  const count = useService(NAVIGATION).counts.get(entry.path);
  const { current } = useService(SCOPE);
  const { pathname } = useLocation();
  const prefetch = usePrefetch();
  const Icon = entry.icon;
  const handlePrefetch = () => prefetch(entry.path);
  return (
    <Link
      to={scopedPath(entry.path, entry.scopeParameters, current)}
      aria-current={isCurrent(entry, pathname) && !isAtLink ? 'page' : undefined}
      title={t(entry.label)}
      onMouseEnter={handlePrefetch}
      onFocus={handlePrefetch}
      onClick={onChoose}
    >
      <Icon size={16} aria-hidden={true} />
      <span className="lbl">{t(entry.label)}</span>
      {count !== undefined && count > 0 && (
        <span className="count" title={formatNumber(count)}>
          {formatCount(count)}
        </span>
      )}
    </Link>
  );
});

interface StarredProps {
  links: readonly NavigationLink[];
  current: NavigationLink | undefined;
  onChoose?: (() => void) | undefined;
}

/** The views to which this person gave a star. */
function StarredViews({ links, current, onChoose }: StarredProps) {
  return (
    <div className="nav">
      <div className="nav-h">{t('Starred')}</div>
      {links.map(({ id, label, to }) => (
        <Link key={id} to={to} aria-current={current?.id === id ? 'page' : undefined} title={label} onClick={onChoose}>
          <Star size={16} aria-hidden={true} />
          <span className="lbl trunc">{label}</span>
        </Link>
      ))}
    </div>
  );
}

export interface NavigationListProps {
  /** Runs when an item was chosen: the drawer closes. */
  onChoose?: () => void;
}

/** The areas of the product; those that are not built, or not for this role, are absent. */
export const NavigationList = observer(function NavigationList({ onChoose }: NavigationListProps) {
  const navigation = useService(NAVIGATION);
  const { organizationName } = useService(SESSION);
  const { links } = navigation;
  const { pathname, search } = useLocation();
  const current = links.find(({ to }) => to === `${pathname}${search}`);
  const work = navigation.entriesOf('work');
  const organization = navigation.entriesOf('organization');
  return (
    <>
      <div className="nav">
        {work.map((entry) => (
          <NavigationItem key={entry.path} entry={entry} isAtLink={current !== undefined} onChoose={onChoose} />
        ))}
      </div>
      {links.length > 0 && <StarredViews links={links} current={current} onChoose={onChoose} />}
      {organization.length > 0 && (
        <div className="nav">
          {organizationName !== undefined && <div className="nav-h trunc">{organizationName}</div>}
          {organization.map((entry) => (
            <NavigationItem key={entry.path} entry={entry} onChoose={onChoose} />
          ))}
        </div>
      )}
    </>
  );
});
