/** The error's own code, or the first one that it carries: a socket that tried several addresses says it for each. */
export function codeOfError(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code !== '') return code;
  if (error instanceof AggregateError) return codeOfError(error.errors[0]);
  return error.name;
}
