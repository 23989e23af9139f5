import { ConnectorError } from '../../errors.ts';
import { templateKeys } from '../../manifest.ts';
import type { Secrets } from '../auth/secrets.ts';
import type { HostConnection } from '../connection.ts';
import { fieldTitle, withoutSlashes } from './roots.ts';

/** Whether requests to the connector's own root go to an address that is a secret (`auth` of the type address). */
export const isSentToSecret = ({ connector }: HostConnection, service?: string): boolean =>
  service === undefined && connector.auth.type === 'address';

/**
 * The address as it is stored, at the host that the operator named, if any. What stands behind its host is masked from then on too. Which hosts it
 * may name is the egress gate's to judge. @throws ConnectorError config, where it is none that can be called
 */
export async function secretAddress({ connector, baseUrlOverride }: HostConnection, secrets: Secrets): Promise<URL> {
  const { auth, credentials } = connector;
  const [field = ''] = auth.type === 'address' ? templateKeys(auth.value) : [];
  const url = URL.parse((await secrets.need(field)).trim());
  // not its own words: they hold the secret
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '') {
    const named = fieldTitle(credentials, field);
    throw new ConnectorError('config', `"${named}" is not an address that can be called.`, {
      help: 'Copy the whole address again; it begins with https://.',
    });
  }
  const behindHost = `${url.pathname}${url.search}`;
  if (behindHost.length > 1) secrets.mask.add(behindHost);
  if (baseUrlOverride === undefined) return url;
  return new URL(`${baseUrlOverride.origin}${withoutSlashes(baseUrlOverride.pathname)}${behindHost}`);
}
