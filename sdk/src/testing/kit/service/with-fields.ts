import type { Json } from '../../../context.ts';
import type { FilledForm } from './canary.ts';

/** Secrets as the fields that they came from. */
export function withFields(value: Json, { secrets }: FilledForm): Json {
  const text = Object.entries(secrets)
    .filter(([, secret]) => secret !== '')
    .reduce(
      (all, [name, secret]) => all.replaceAll(JSON.stringify(secret).slice(1, -1), `{{${name}}}`),
      JSON.stringify(value),
    );
  return JSON.parse(text);
}
