import { AUTH, DraftError } from './draft.js';

const DEEPEST = 6;
const IDENTITY_PATHS = ['/user', '/me', '/users/me', '/account', '/whoami', '/api/user', '/current_user'];
const IDENTITY_NAMES = ['login', 'username', 'user', 'email', 'name', 'id'];

/** Follows `#/components/…`; other documents are not read. */
const resolved = (document, value, hops = 0) => {
  const ref = value?.$ref;
  if (typeof ref !== 'string') return value ?? {};
  if (!ref.startsWith('#/') || hops > DEEPEST)
    throw new DraftError(`--openapi: "${ref}" is not a part of this document, which is needed as one file.`);
  const parts = ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = parts.reduce(
    (at, part) => (typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? at[part] : undefined),
    document,
  );
  if (found === undefined) throw new DraftError(`--openapi: "${ref}" is not there.`);
  return resolved(document, found, hops + 1);
};

const TEXTS = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  uri: 'https://example.com',
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** An example of what a schema describes: what the document gives as one, else something made up. */
const exampleOf = (document, given, depth = 0) => {
  const schema = resolved(document, given);
  const example = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0] ?? schema.default;
  if (example !== undefined) return example;
  const parts = schema.allOf ?? [];
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => exampleOf(document, part, depth + 1)));
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice !== undefined) return exampleOf(document, choice, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'array') return depth > DEEPEST ? [] : [exampleOf(document, schema.items, depth + 1)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'string') return TEXTS[schema.format] ?? 'example';
  if (depth > DEEPEST) return {};
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(document, property, depth + 1)]),
  );
};

/** The JSON that an operation answers with: its schema, and an example. */
const answerOf = (document, operation) => {
  const response = resolved(
    document,
    operation.responses?.['200'] ?? operation.responses?.['2XX'] ?? operation.responses?.default,
  );
  const [, media] = Object.entries(response.content ?? {}).find(([type]) => /json/.test(type)) ?? [];
  if (media === undefined) throw new DraftError('--openapi: the operation answers 200 with no JSON.');
  const [named] = Object.values(media.examples ?? {});
  return {
    schema: media.schema ?? {},
    example: media.example ?? resolved(document, named).value ?? exampleOf(document, media.schema),
  };
};

/** Where the list of records is: the answer itself, or the first list of objects in it. */
const recordsIn = (answer, path = []) => {
  if (Array.isArray(answer)) return { records: path.join('.'), record: answer[0] };
  if (typeof answer !== 'object' || answer === null || path.length > 3) return undefined;
  for (const [name, value] of Object.entries(answer)) {
    const found = /^\w+$/.test(name) ? recordsIn(value, [...path, name]) : undefined;
    if (typeof found?.record === 'object' && found.record !== null) return found;
  }
  return undefined;
};

const authOf = (document, operation, fillIn) => {
  const [wanted = {}] = operation.security ?? document.security ?? [];
  const [name] = Object.keys(wanted);
  if (name === undefined) return AUTH.none();
  const scheme = resolved(document, document.components?.securitySchemes?.[name]);
  if (scheme.type === 'apiKey' && scheme.in === 'header') return AUTH.header(scheme.name);
  if (scheme.type === 'http' && /^basic$/i.test(scheme.scheme)) return AUTH.basic();
  if (scheme.type === 'http' && /^bearer$/i.test(scheme.scheme)) return AUTH.bearer();
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') {
    fillIn.push('auth: the service signs in by OAuth; a token is asked for until you write type "oauth2"');
    return AUTH.bearer();
  }
  throw new DraftError(
    `--openapi: a connector cannot sign by "${name}" (${scheme.type ?? 'unknown'}, in ${scheme.in ?? '?'}). Does the service take a header?`,
  );
};

const rootOf = (document) => {
  const server = document.servers?.[0] ?? {};
  const text = String(server.url ?? '').replace(/\{(\w+)\}/g, (_, name) => server.variables?.[name]?.default ?? name);
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:')
    throw new DraftError('--openapi: servers[0].url is no https address; name one with --url.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

/** A parameter becomes a field of the form where the document has no value for it. */
const parametersOf = (document, item, operation, fields) => {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => resolved(document, one));
  const query = {};
  for (const { name, in: place, required, schema, example } of all) {
    if (place !== 'path' && !(place === 'query' && required === true)) continue;
    const value =
      place === 'path'
        ? undefined
        : (example ?? resolved(document, schema).default ?? resolved(document, schema).enum?.[0]);
    const field = name.toLowerCase().replace(/\W+/g, '_');
    if (value === undefined) fields[field] = { type: 'string', title: name };
    if (place === 'query') query[name] = value === undefined ? `{{${field}}}` : String(value);
  }
  return query;
};

/** A draft from an OpenAPI 3 document in JSON and one of its paths. @throws DraftError */
export const draftFromOpenApi = (text, path, url) => {
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    throw new DraftError(
      '--openapi: the file is no JSON. Convert YAML first, as with: npx js-yaml openapi.yaml > openapi.json',
    );
  }
  if (!/^3\./.test(String(document?.openapi))) throw new DraftError('--openapi: only OpenAPI 3 is read.');
  const paths = Object.keys(document.paths ?? {});
  const item = Object.hasOwn(document.paths ?? {}, path ?? '') ? resolved(document, document.paths[path]) : undefined;
  if (item?.get === undefined)
    throw new DraftError(
      `--path must name a path with GET, one of:\n${paths
        .filter((one) => document.paths[one]?.get)
        .slice(0, 30)
        .map((one) => `  ${one}`)
        .join('\n')}`,
    );
  const fillIn = ['the recorded answer comes from the document: record the real one with breakwater-connector record'];
  const { auth, fields: own } = authOf(document, item.get, fillIn);
  const fields = { ...own };
  const query = parametersOf(document, item, item.get, fields);
  const { example, schema } = answerOf(document, item.get);
  const found = recordsIn(example);
  if (typeof found?.record !== 'object' || found.record === null)
    throw new DraftError('--openapi: the answer of this path holds no list of objects.');
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => `{{${name.toLowerCase().replace(/\W+/g, '_')}}}`);
  if (JSON.stringify(document.paths[path].get.parameters ?? []).match(/page|cursor|offset|limit/i))
    fillIn.push('findings.paging: the path has parameters for pages');
  const identityPath = IDENTITY_PATHS.find((one) => document.paths[one]?.get !== undefined);
  const identity = identityPath === undefined ? undefined : identityOf(document, identityPath);
  return {
    ...{
      baseUrl: url ?? rootOf(document),
      auth,
      fields,
      record: found.record,
      answer: example,
      fillIn,
      notWritten: [],
    },
    request: { path: filled, ...(Object.keys(query).length === 0 ? {} : { query }) },
    choices: choicesOf(document, schema, found.records),
    ...(found.records === '' ? {} : { records: found.records }),
    ...(identity === undefined ? {} : { identity }),
    ...(document.externalDocs?.url?.startsWith('https://') ? { documentation: document.externalDocs.url } : {}),
  };
};

/** The words that each field of a record may hold, where the document names them. */
const choicesOf = (document, schema, records) => {
  const list = records
    .split('.')
    .filter((name) => name !== '')
    .reduce((at, name) => resolved(document, at.properties?.[name]), resolved(document, schema));
  const { properties = {} } = resolved(document, list.items);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const words = resolved(document, property).enum;
      return Array.isArray(words) ? [[name, words]] : [];
    }),
  );
};

const identityOf = (document, path) => {
  const { example } = answerOf(document, document.paths[path].get);
  const name = IDENTITY_NAMES.find((one) => ['string', 'number'].includes(typeof example?.[one]));
  return name === undefined ? undefined : { path, name, answer: example };
};
