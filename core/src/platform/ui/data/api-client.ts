import { fullPath, type Route, type RouteDefinition } from '../../api/contract.ts';
import type { FieldIssue } from '../../model/app-error.ts';
import { t } from '../language/translate.ts';
import { ApiError, isAbort, UNEXPECTED } from './api-error.ts';
import { serviceId } from './service-id.ts';

type Part<K extends string, T> = [T] extends [undefined]
  ? { [key in K]?: never }
  : Record<string, never> extends T
    ? { [key in K]?: T }
    : { [key in K]: T };

/** What a call of a route needs: its params, query and body as the contract types them. */
type CallInput<P, Q, B> = Part<'params', P> & Part<'query', Q> & Part<'body', B> & { signal?: AbortSignal };

type CallArguments<I> = Record<string, never> extends I ? [input?: I] : [input: I];

interface FormInput<P, Q> {
  params?: P;
  query?: Q;
  /** A form, or one file as it is. */
  form: FormData | Blob;
  signal?: AbortSignal;
}

/** Calls the server by the declared routes. Failures throw `ApiError`; an aborted call throws an `AbortError`. */
export interface ApiClient {
  call<P, Q, B, S>(
    route: Route<P, Q, B, S>,
    ...input: CallArguments<CallInput<NoInfer<P>, NoInfer<Q>, NoInfer<B>>>
  ): Promise<S>;
  /** Sends a multipart form or a file to a route whose body is a stream (uploads). */
  send<P, Q, B, S>(route: Route<P, Q, B, S>, input: FormInput<NoInfer<P>, NoInfer<Q>>): Promise<S>;
  /** Fetches a route that answers with a file. */
  download<P, Q, B, S>(
    route: Route<P, Q, B, S>,
    ...input: CallArguments<CallInput<NoInfer<P>, NoInfer<Q>, NoInfer<B>>>
  ): Promise<Blob>;
}

interface ApiClientOptions {
  /** Called on a 401 of any call; the session decides whether somebody was signed in. */
  onUnauthorized?: () => void;
  /** Called when the organisation requires two-factor and the person has none. */
  onTwoFactorRequired?: () => void;
}

interface AnyInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  form?: FormData | Blob;
  signal?: AbortSignal;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Address of a route: parameters filled in and escaped, query appended. */
export const addressOf = (route: RouteDefinition, params: unknown, query: unknown): string => {
  const path = fullPath(route).replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = isRecord(params) ? params[name] : undefined;
    if (value === undefined || value === null || value === '')
      throw new Error(`${route.path} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
  const search = toQueryString(query);
  // a path may bring parameters of its own
  return search === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`;
};

const isIssue = (value: unknown): value is FieldIssue =>
  isRecord(value) && typeof value.msg === 'string' && Array.isArray(value.loc);

/** Reads the error envelope of decisions.md; survives answers of proxies that are not JSON. */
export const readError = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const envelope = isRecord(body) ? body : {};
  const issues = Array.isArray(envelope.detail) ? envelope.detail.filter(isIssue) : [];
  // a sign-in at a service that gave no token says why in a field of its own
  const said = [envelope.detail, envelope.error_description];
  const text = said.find((words): words is string => typeof words === 'string' && words !== '') ?? UNEXPECTED;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError({
    status: response.status,
    code: typeof envelope.code === 'string' ? envelope.code : 'internal',
    messages: issues.length > 0 ? issues.map((issue) => issue.msg) : [text],
    issues,
    requestId: typeof envelope.request_id === 'string' ? envelope.request_id : undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
  });
};

const initOf = (route: RouteDefinition, { body, form, signal }: AnyInput): RequestInit => {
  const init: RequestInit = {
    method: route.method,
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
  };
  if (signal !== undefined) init.signal = signal;
  if (form !== undefined) init.body = form;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { accept: 'application/json', 'content-type': 'application/json' };
  }
  return init;
};

/** The server validates what it sends against the same contract; the text is taken at its word. */
const readJson = async <S>(response: Response): Promise<S> => JSON.parse(await response.text());

/** The browser's side of the contracts. `fetch` is passed in, so that tests can watch the wire. */
export const createApiClient = (fetch: typeof globalThis.fetch, options: ApiClientOptions = {}): ApiClient => {
  const request = async (route: RouteDefinition, input: AnyInput): Promise<Response> => {
    const response = await fetch(addressOf(route, input.params, input.query), initOf(route, input)).catch(
      (error: unknown) => {
        if (isAbort(error)) throw error;
        const messages = [t('The server cannot be reached. Check the connection and try again.')];
        throw new ApiError(
          { status: 0, code: 'unreachable', messages, issues: [], requestId: undefined, retryAfterSeconds: undefined },
          { cause: error },
        );
      },
    );
    if (response.ok) return response;
    if (response.status === 401) options.onUnauthorized?.();
    const error = await readError(response);
    if (error.code === 'two_factor_required') options.onTwoFactorRequired?.();
    throw error;
  };

  return {
    call: async (route, ...[input]) => readJson(await request(route, input ?? {})),
    send: async (route, input) => readJson(await request(route, input)),
    download: async (route, ...[input]) => (await request(route, input ?? {})).blob(),
  };
};

export const API = serviceId<ApiClient>('platform.api');

type Scalar = string | number | boolean;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmpty));

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Commas between the values of a list stay readable; a comma inside a value would split it, so such lists go as `key[]=` each. */
const encodeList = (key: string, values: Scalar[]): string[] => {
  const texts = values.map(String);
  if (texts.some((text) => text.includes(','))) return texts.map((text) => `${key}[]=${encodeURIComponent(text)}`);
  return [`${key}=${texts.map(encodeURIComponent).join(',')}`];
};

const encodePart = (key: string, value: unknown): string[] => {
  if (isEmpty(value)) return [];
  if (isScalar(value)) return [`${key}=${encodeURIComponent(String(value))}`];
  if (Array.isArray(value))
    return encodeList(
      key,
      value.filter((entry) => isScalar(entry) && !isEmpty(entry)),
    );
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => encodePart(`${key}[${encodeURIComponent(name)}]`, inner));
  }
  return [];
};

/** `{filters: {severity: ['high', 'low']}}` → `filters[severity]=high,low`. Empty values are omitted (specification §5). */
export const toQueryString = (query: unknown): string => {
  if (typeof query !== 'object' || query === null) return '';
  return Object.entries(query)
    .flatMap(([key, value]) => encodePart(encodeURIComponent(key), value))
    .join('&');
};
