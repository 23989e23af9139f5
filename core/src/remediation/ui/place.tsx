import type { Remediation } from './fix.store.ts';

export const isWebAddress = (address: string | null): address is string =>
  address !== null && URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);

/** Repository, branch and target, before anything is opened; then the link to it. */
export function PullRequestPlace({ attributes }: { attributes: Remediation['attributes'] }) {
  const { remediation_type: type, repository, fix_branch, branch, reference_url: url, number, settings } = attributes;
  const name = type === 'issue' ? 'issue' : 'pull request';
  return (
    <p className="place">
      {settings !== null && url === null ? 'Settings of ' : type === 'issue' ? 'Issue in ' : 'Pull request in '}
      <span className="strong">{repository}</span>
      {type === 'pull_request' && (
        <>
          : <code>{fix_branch}</code> into <code>{branch}</code>
        </>
      )}
      {isWebAddress(url) && (
        <>
          {' · '}
          <a href={url} target="_blank" rel="noreferrer">
            Open {name} {number ?? ''}
          </a>
        </>
      )}
    </p>
  );
}
