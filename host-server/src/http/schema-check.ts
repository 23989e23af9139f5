import type { FieldIssue } from '@breakwater/core/platform/model/app-error.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { toFaults } from './validation-faults.ts';

// ajv-formats is CommonJS: under nodenext its callable is the member `default`
const addFormats = addFormatsModule.default;

/** Schemas of plugins were checked when they were loaded; what is not JSON Schema's in them says nothing about values. */
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
const compiled = new WeakMap<object, ValidateFunction>();

/** Judges a value by a schema of a plugin, such as the form of a connector. Places begin at the value itself. */
export const checkSchema = (schema: object, value: unknown): FieldIssue[] => {
  const check = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, check);
  if (check(value)) return [];
  return toFaults(check.errors ?? [], 'body').map((fault) => ({ ...fault, loc: fault.loc.slice(1) }));
};
