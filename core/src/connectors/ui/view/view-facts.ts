import { Type } from 'typebox';
import { route } from '../../../platform/api/contract.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { parseRoute } from '../../model/view-request.ts';
import { type Connector, formOf } from '../data/connector.ts';

/** Public fields that hold something. A secret has no value here: it never leaves the server. */
export const configOf = (connector: Connector): Record<string, unknown> =>
  Object.fromEntries(
    formOf(connector).flatMap(({ name, isSecret }) => {
      const value = connector.fields[name]?.value;
      return isSecret || value === undefined || value === null ? [] : [[name, value]];
    }),
  );

/** Calls a route of the connector, and no other: the path is judged, and the id is the host's. @throws ApiError */
export const callRouteOf = async (
  api: ApiClient,
  connectorId: string,
  order: { route: string; input: Record<string, unknown> },
): Promise<unknown> => {
  const parsed = parseRoute(order.route);
  // no text: for the author of the view
  if (parsed === undefined) throw new Error('This is no route.');
  const definition = route({
    method: parsed.method,
    path: `/connectors/${encodeURIComponent(connectorId)}/routes${parsed.path}`,
    tag: 'connectors',
    summary: '',
    access: { permission: 'findings.read', tenant: false },
    query: Type.Record(Type.String(), Type.Unknown()),
    body: Type.Unknown(),
    response: Type.Object({ data: Type.Unknown() }),
  });
  const { input } = order;
  const { data } = await api.call(definition, parsed.method === 'GET' ? { query: input } : { body: input });
  return data;
};
