interface SchemaLike {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  anyOf?: unknown;
  items?: unknown;
  properties?: unknown;
  required?: unknown;
  patternProperties?: unknown;
  additionalProperties?: unknown;
  format?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  maxLength?: unknown;
  contentSchema?: unknown;
}

const isSchema = (value: unknown): value is SchemaLike => typeof value === 'object' && value !== null;

const quoted = (value: unknown): string => JSON.stringify(value);

const limits = (schema: SchemaLike): string => {
  const { minimum, maximum, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) return ` (${minimum}-${maximum})`;
  if (minimum !== undefined) return ` (≥ ${minimum})`;
  if (maximum !== undefined) return ` (≤ ${maximum})`;
  return maxLength === undefined ? '' : ` (≤ ${maxLength} characters)`;
};

const objectText = (schema: SchemaLike, indent: string): string => {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  if (properties.length === 0) {
    const [values] = isSchema(schema.patternProperties)
      ? Object.values(schema.patternProperties)
      : [schema.additionalProperties];
    return isSchema(values) ? `{ [key]: ${schemaText(values, indent)} }` : '{}';
  }
  const inner = `${indent}  `;
  const lines = properties.map(
    ([name, value]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${schemaText(value, inner)}`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
};

/** A JSON Schema in the short notation that the reference pages use. */
export const schemaText = (schema: unknown, indent = ''): string => {
  if (!isSchema(schema)) return 'any';
  if (Array.isArray(schema.enum)) return schema.enum.map(quoted).join(' | ');
  if (schema.const !== undefined) return quoted(schema.const);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((part) => schemaText(part, indent)).join(' | ');
  if (schema.type === 'array') {
    const items = schemaText(schema.items, indent);
    return /^[{\w]/.test(items) && !items.includes(' | ') ? `${items}[]` : `(${items})[]`;
  }
  if (schema.type === 'object') return objectText(schema, indent);
  if (typeof schema.type !== 'string') return 'any';
  if (schema.contentSchema !== undefined) return `string, signed (JWS), of ${schemaText(schema.contentSchema, indent)}`;
  return `${typeof schema.format === 'string' ? schema.format : schema.type}${limits(schema)}`;
};
