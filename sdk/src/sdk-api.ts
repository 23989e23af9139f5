/** Major version of the contract between plugins and host that this package speaks. */
export const SDK_API = '1';

/** Majors that the host takes plugins of, newest last. */
export const SPOKEN_APIS: readonly string[] = [SDK_API];

/**
 * Why a plugin of another major version is refused, in words for whoever wants to use it; null where it is not.
 * @param api as its manifest or build states it; left out by who writes one by hand
 */
export function apiRefusal(api: unknown): string | null {
  if (api === undefined || (typeof api === 'string' && SPOKEN_APIS.includes(api))) return null;
  if (typeof api !== 'string') return `"api" is text: "${SDK_API}"`;
  const stated = api.slice(0, 20);
  const isNewer = Number(stated) > Number(SPOKEN_APIS.at(-1));
  const remedy = isNewer
    ? 'update Breakwater, or use an earlier version of the plugin'
    : 'use a later version of the plugin';
  return `it was made for version ${stated} of the SDK, and this Breakwater speaks ${SPOKEN_APIS.join(', ')}: ${remedy}`;
}

/** The same of something that claims to be a manifest or a document. */
export function refusalOf(spec: unknown): string | null {
  return typeof spec === 'object' && spec !== null ? apiRefusal(Reflect.get(spec, 'api')) : null;
}
