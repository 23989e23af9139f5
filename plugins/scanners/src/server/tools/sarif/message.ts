import { clean, fields, label, list, text } from '../../lib/read.ts';
import type { RunRules } from './rules.ts';

/**
 * Text of a message: given directly or by id, placeholders filled in, embedded links reduced to their text.
 * Source: SARIF 2.1.0 §3.11.
 */
export function messageText(message: unknown, rule: Record<string, unknown>, rules: RunRules): string | undefined {
  const { text: direct, markdown, id, arguments: values } = fields(message);
  const name = label(id);
  const template =
    text(direct) ?? (name === undefined ? undefined : text(rules.messageText(rule, name))) ?? text(markdown);
  if (template === undefined) return undefined;
  const parts = list(values).map((value) => text(value, 4_000) ?? '');
  const filled = template.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (match, index: string | undefined) => {
    if (index === undefined) return direct === undefined ? match.slice(1) : match;
    return parts[Number(index)] ?? match;
  });
  return clean(filled.replace(/(?<!\\)\[((?:[^[\]\\]|\\.){1,500})\]\(\d+\)/g, '$1'));
}
