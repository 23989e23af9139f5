import jsonata from 'jsonata';
import type { Expression } from './document.ts';

/**
 * What is wrong with an expression, in words; nothing for a sound one. Regular expressions are refused, because one of them can run for
 * ever, and `$eval`, because its text is not known before it runs.
 */
export function expressionIssue(expression: Expression): string | undefined {
  try {
    return forbiddenIn(jsonata(expression).ast());
  } catch (error) {
    return `is no JSONata: ${messageOf(error)}`;
  }
}

function forbiddenIn(node: unknown, seen = new Set<object>()): string | undefined {
  if (typeof node !== 'object' || node === null || seen.has(node)) return undefined;
  seen.add(node);
  if ('type' in node && node.type === 'regex') return 'holds a regular expression: use $contains or $split with a text';
  if ('type' in node && node.type === 'variable' && 'value' in node && node.value === 'eval') return 'calls $eval';
  for (const part of Object.values(node)) {
    const issue = forbiddenIn(part, seen);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

/** JSONata throws plain objects. */
function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    return error.message;
  }
  return String(error);
}
