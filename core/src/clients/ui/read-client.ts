import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import type { ClientDetail } from '../api/client-detail.ts';
import { getClient } from '../api/routes.ts';

/** Payload of a signed document of our own server; the signature is for programs that hold its keys. */
const payloadOf = (jws: string): Static<typeof ClientDetail> => {
  const encoded = (jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
};

/** The organisation as the caller may know it. Source: specification §7 "GET /client". */
export const readClient = async (api: ApiClient, signal?: AbortSignal): Promise<Static<typeof ClientDetail>> =>
  payloadOf((await api.call(getClient, signal === undefined ? {} : { signal })).data);
