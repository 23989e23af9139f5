import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import type { Remediation } from './fix.store.ts';

export const isWebAddress = (address: string | null): address is string =>
  address !== null && URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);

type PlaceProps = Pick<Remediation, 'attributes'>;

/** Repository, branch and target. */
function Target({ attributes }: PlaceProps) {
  const { remediation_type: type, repository: name, fix_branch, branch, reference_url: url, settings } = attributes;
  const repository = <span className="strong">{name}</span>;
  if (settings !== null && url === null) return <Words of="Settings of {repository}" repository={repository} />;
  if (type === 'issue') return <Words of="Issue in {repository}" repository={repository} />;
  return (
    <Words
      of="Pull request in {repository}: {branch} into {target}"
      repository={repository}
      branch={<code>{fix_branch}</code>}
      target={<code>{branch}</code>}
    />
  );
}

/** Repository, branch and target, before anything is opened; then the link to it. */
export function PullRequestPlace({ attributes }: PlaceProps) {
  const { remediation_type: type, reference_url: url, number, tickets } = attributes;
  // an issue of a ticket system stands there, not in the repository: its own line says so
  if (tickets.some(({ ticket }) => ticket !== null && ticket.url === url)) return null;
  const values = { number: number === null ? '' : String(number) };
  const text = type === 'issue' ? t('Open issue {number}', values) : t('Open pull request {number}', values);
  return (
    <p className="place">
      <Target attributes={attributes} />
      {isWebAddress(url) && (
        <>
          {' · '}
          <a href={url} target="_blank" rel="noreferrer">
            {text.trim()}
          </a>
        </>
      )}
    </p>
  );
}
