/** A report as opengrep writes it, with `count` results that all differ in place or rule. The same seed gives the same report. */
export const generatedReport = (count: number, seed = 1): Uint8Array<ArrayBuffer> => {
  const results = Array.from({ length: count }, (_, index) => {
    const line = 1 + ((index * 7 + seed) % 900);
    return {
      check_id: `javascript.generated.rule-${index % 37}`,
      path: `src/module-${index % 211}/file-${index}.ts`,
      start: { line, col: 1, offset: 0 },
      end: { line: line + 1, col: 2, offset: 40 },
      extra: {
        message: `Generated result ${index}: user input reaches a sink without being checked.`,
        severity: ['ERROR', 'WARNING', 'INFO'][index % 3],
        metadata: { cwe: [`CWE-${[79, 89, 22, 798][index % 4]}: generated`], category: 'security', confidence: 'HIGH' },
        lines: `const value${index} = request.query.value;`,
        fingerprint: `generated-${seed}-${index}`,
        is_ignored: false,
        engine_kind: 'OSS',
      },
    };
  });
  return new TextEncoder().encode(JSON.stringify({ version: '1.6.0', results, errors: [], paths: { scanned: [] } }));
};
