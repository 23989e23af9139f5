import { ConnectorError } from '../errors.ts';
import type { Check } from '../server.ts';
import type { CheckDocument, Mapper } from './document.ts';
import { readUnlessRefused } from './refusals.ts';
import { fillRequest } from './templates.ts';

/** Asks the service who we are, as `check` of the document says. */
export function createCheck(document: CheckDocument, mapper: Mapper): Check {
  const { refuse = [], identity, scopes } = document;
  const expressions = { identity, ...(scopes === undefined ? {} : { scopes }) };
  return async ({ http, config }) => {
    const input = await http.json(fillRequest(document.request, config));
    const judged = { part: 'check', input, bindings: { config: { ...config } }, mapper };
    const values = await readUnlessRefused(refuse, expressions, judged);
    const name = values['identity'];
    if (typeof name !== 'string' && typeof name !== 'number') {
      throw new ConnectorError(
        'upstream',
        'The service answered in an unexpected way. Its answer does not say whose credentials these are.',
      );
    }
    const rights = values['scopes'];
    const list = Array.isArray(rights) ? rights.filter((right) => typeof right === 'string') : [];
    return { identity: String(name), ...(scopes === undefined ? {} : { scopes: list }) };
  };
}
