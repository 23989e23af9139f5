import { ConnectorError } from '../errors.ts';
import type { Check } from '../server.ts';
import type { CheckDocument, Mapper } from './document.ts';
import { answering } from './map-finding.ts';
import { fillRequest } from './templates.ts';

/** Asks the service who we are, as `check` of the document says. */
export function createCheck(document: CheckDocument, mapper: Mapper): Check {
  const { refuse = [], identity, scopes } = document;
  const refusals = Object.fromEntries(refuse.map(({ when }, index) => [`refuse.${index}`, when]));
  return async ({ http, config }) => {
    const input = await http.json(fillRequest(document.request, config));
    const [values = {}] = await answering('check', () =>
      mapper.map({
        items: [{ input }],
        bindings: { config: { ...config } },
        expressions: { identity, ...(scopes === undefined ? {} : { scopes }), ...refusals },
      }),
    );
    refuse.forEach(({ code, message, help }, index) => {
      if (values[`refuse.${index}`] === true)
        throw new ConnectorError(code, message, help === undefined ? {} : { help });
    });
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
