import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Sentence, say } from '../../../platform/model/sentence.ts';
import { ENGLISH } from '../../../platform/model/translator.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';
import { ASSESSED_VERDICTS, type AssessedVerdict, type AssessmentReason } from '../../model/assessment.ts';
import { placeholdersIn, type RedactedCode, restoreSecrets } from '../../model/redact-code.ts';
import type { CodeWindow } from './code-window.ts';
import { shownText } from './prompt.ts';

/** An answer that cannot be used, in a sentence that also tells a model what to do better. */
export class AnswerProblem extends Error {
  constructor(why: Sentence) {
    super(ENGLISH.say(why));
  }
}

const Edit = Type.Object({
  file: Type.String(),
  search: Type.String({ minLength: 1, maxLength: 20_000 }),
  replace: Type.String({ maxLength: 40_000 }),
});
export type Edit = Static<typeof Edit>;

const Refusal = Type.Object({ cannot_fix: Type.String({ minLength: 1 }) });

/** What a model answers to `fixPrompt`. */
const FixAnswer = Type.Object({
  summary: Type.String({ minLength: 1, maxLength: 1000 }),
  explanation: Type.String({ maxLength: 10_000 }),
  edits: Type.Array(Edit, { minItems: 1, maxItems: 20 }),
});
export type FixAnswer = Static<typeof FixAnswer>;

/** What a model answers to `assessmentPrompt`. */
const AssessmentAnswer = Type.Object({
  verdict: Type.Union(ASSESSED_VERDICTS.map((verdict) => Type.Literal(verdict))),
  confidence: Type.Integer({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(
    Type.Object({
      file: Type.String(),
      line: Type.Integer(),
      end_line: Type.Optional(Type.Integer()),
      text: Type.String({ minLength: 1, maxLength: 1000 }),
    }),
    { minItems: 1, maxItems: 5 },
  ),
});
type AssessmentAnswer = Static<typeof AssessmentAnswer>;

/** A proposal that may be shown. */
export interface ReadAssessment {
  verdict: AssessedVerdict;
  /** 0 to 100. */
  confidence: number;
  reasons: AssessmentReason[];
}

/** The object in an answer; models put words and fences around it although they are told not to. */
const jsonIn = (text: string): unknown => {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) throw new AnswerProblem(say('it holds no JSON object.'));
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    throw new AnswerProblem(say('its JSON cannot be read.'));
  }
};

const placeOf = (path: string): string => (path === '' ? 'the object' : path.slice(1).replaceAll('/', '.'));

/** @throws AnswerProblem */
const checked = <S extends TSchema>(schema: S, value: unknown): Static<S> => {
  if (Value.Check(schema, value)) return value;
  const [error] = Value.Errors(schema, value);
  throw new AnswerProblem(
    // no text: the words of the schema's check, which the model is answered with
    { text: `${placeOf(error?.instancePath ?? '')} ${error?.message ?? 'is wrong'}.` },
  );
};

/** A fix, or the reason that the model gives why there is none. @throws AnswerProblem */
export const readFixAnswer = (text: string): FixAnswer | { cannotFix: string } => {
  const value = jsonIn(text);
  return Value.Check(Refusal, value) ? { cannotFix: value.cannot_fix } : checked(FixAnswer, value);
};

const reasonOf = (
  { file, line, end_line: end = line, text }: AssessmentAnswer['reasons'][number],
  index: number,
  { path, code }: { path: string; code: Pick<CodeWindow, 'from' | 'to'> },
): AssessmentReason => {
  const number = String(index + 1);
  if (file !== path)
    throw new AnswerProblem(
      say('reason {number} names “{file}”; only “{path}” was shown.', { number, file: file.slice(0, 300), path }),
    );
  if (line < code.from || end < line || end > code.to) {
    throw new AnswerProblem(
      say('reason {number} names the lines {first} to {last}; only the lines {from} to {to} were shown.', {
        number,
        first: String(line),
        last: String(end),
        from: String(code.from),
        to: String(code.to),
      }),
    );
  }
  const shown = shownText(text);
  if (shown === '') throw new AnswerProblem(say('reason {number} says nothing at all.', { number }));
  return { text: shown, line, end_line: end };
};

/** A proposal whose reasons name lines that the model was shown. @throws AnswerProblem */
export const readAssessment = (
  text: string,
  shown: { path: string; code: Pick<CodeWindow, 'from' | 'to'> },
): ReadAssessment => {
  const { verdict, confidence, reasons } = checked(AssessmentAnswer, jsonIn(text));
  return { verdict, confidence, reasons: reasons.map((reason, index) => reasonOf(reason, index, shown)) };
};

/** What no code needs and no reader sees; those that turn the direction of text besides. */
const HIDDEN = /[^\P{Cc}\t\n\r\f]|[\u200B\u2060\uFEFF]/u;

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/**
 * Edits of redacted code as edits of the real one. A secret stays where it stood: it is put nowhere else.
 * @throws AnswerProblem
 */
export const restoreEdits = (edits: readonly Edit[], redacted: Pick<RedactedCode, 'secrets'>): Edit[] =>
  edits.map((edit, index) => {
    const before = new Set(placeholdersIn(edit.search, redacted));
    if (placeholdersIn(edit.replace, redacted).some((placeholder) => !before.has(placeholder)))
      throw new AnswerProblem(say('edit {number} would put a secret where none stood.', { number: String(index + 1) }));
    return { ...edit, search: restoreSecrets(edit.search, redacted), replace: restoreSecrets(edit.replace, redacted) };
  });

/** The file as the edits make it. @throws AnswerProblem for another file, or text that is not there exactly once */
export const applyEdits = ({ path, content }: { path: string; content: string }, edits: readonly Edit[]): string => {
  const newline = content.includes('\r\n') ? '\r\n' : '\n';
  const asInFile = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\n', newline);
  let after = content;
  edits.forEach(({ file, search, replace }, index) => {
    const number = String(index + 1);
    if (file !== path)
      throw new AnswerProblem(
        say('edit {number} would change “{file}”; only “{path}” belongs to the finding.', {
          number,
          file: file.slice(0, 300),
          path,
        }),
      );
    const wanted = asInFile(search);
    const count = countOf(after, wanted);
    if (count === 0)
      throw new AnswerProblem(say('the search text of edit {number} is not in “{path}”.', { number, path }));
    if (count > 1)
      throw new AnswerProblem(
        say('the search text of edit {number} stands {times} times in “{path}”; take more lines around it.', {
          number,
          times: String(count),
          path,
        }),
      );
    // not by replace(), to which a dollar sign means something
    const at = after.indexOf(wanted);
    after = after.slice(0, at) + asInFile(replace) + after.slice(at + wanted.length);
  });
  if (after === content) throw new AnswerProblem(say('its edits change nothing.'));
  if (after.trim() === '') throw new AnswerProblem(say('its edits would leave nothing of “{path}”.', { path }));
  if (edits.some(({ replace }) => HIDDEN.test(replace) || visibleText(replace) !== replace))
    throw new AnswerProblem(say('its edits would add characters that nobody sees.'));
  return after;
};
