import { hostAndPort } from '@breakwater/sdk/host';
import { type Connections, environmentName } from '../../../connectors/server/index.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { ScanRepository } from '../requests/list-scan-requests.ts';
import { ScanError } from './clone-error.ts';
import { type Cloned, type CloneTask, cloneByGit } from './git-clone.ts';
import { cloneLocalFolder } from './local-folder.ts';

/** Where repositories may come from. */
export interface CloneSources {
  readonly connections: Pick<Connections, 'cloneLogin'>;
  /** Why nothing can come from a source control; null where it can. */
  disabledReason(sourceControl: string): string | null;
  /** Folders that the operator allows to be read. */
  readonly localFolders: readonly string[];
  readonly allowPrivateHosts: boolean;
  /** Hosts that the operator named, by connector in capitals. */
  readonly providerBaseUrls: ReadonlyMap<string, URL>;
}

const refused = (message: string): ScanError =>
  new ScanError('clone_refused', sayEnglish('The repository was not cloned. {reason}', { reason: message }));

/** An address that may be cloned from here. @throws ScanError */
const cloneAddress = (address: string, allowsPlain: (url: URL) => boolean): URL => {
  if (address === '') throw refused(msg('It has no clone address. Give it one in its settings.'));
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw refused(
      msg('Only addresses that begin with https:// are cloned by the server. Change the address in its settings.'),
    );
  }
  if (url.username !== '' || url.password !== '')
    throw refused(msg('Its address holds credentials, which are kept with the connector.'));
  if (url.protocol === 'http:' && !allowsPlain(url)) {
    throw refused(
      msg('Its address begins with http://, by which anybody on the way reads the code. Change it to https://.'),
    );
  }
  return url;
};

/** Takes the files of a repository into the work folder, from wherever it lies. @throws ScanError */
export const takeRepository = async (
  sources: CloneSources,
  { clientId, repository, branch }: { clientId: string; repository: ScanRepository; branch: string },
  task: CloneTask,
): Promise<Cloned> => {
  const { source_control: connectorId, url: address } = repository;
  const reason = sources.disabledReason(connectorId);
  if (reason !== null) throw refused(reason);
  if (connectorId === 'local') return cloneLocalFolder({ roots: sources.localFolders, folder: address }, task);
  const named = sources.providerBaseUrls.get(environmentName(connectorId));
  const allowsPrivate = (url: URL): boolean =>
    sources.allowPrivateHosts || (named !== undefined && hostAndPort(named) === hostAndPort(url));
  const url = cloneAddress(address, allowsPrivate);
  const login = await sources.connections.cloneLogin({ clientId, connectorId }, url);
  return cloneByGit({ url, branch, login, allowsPrivate: allowsPrivate(url) }, task);
};
