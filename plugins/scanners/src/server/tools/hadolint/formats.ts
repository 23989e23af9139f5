import { Type } from 'typebox';
import { checkstyleError, checkstyleShape } from '../../formats/checkstyle.ts';
import type { TextFormat } from '../../formats/text-report.ts';
import type { XmlFormat } from '../../formats/xml-report.ts';
import { fields } from '../../lib/read.ts';
import { recordCheck } from '../../lib/schema.ts';
import type { Failure } from './schema.ts';

const NAME = 'Hadolint';
/** Other linters write the same formats; the codes of its rules are Hadolint's alone. */
const codeCheck = recordCheck(Type.Object({ code: Type.String({ pattern: '^(?:DL|SC)\\d{4}$' }) }));

/** Source: hadolint src/Hadolint/Formatter/Checkstyle.hs, versions 1.0 to 2.14. */
export const CHECKSTYLE: XmlFormat<Failure> = {
  shape: checkstyleShape(NAME),
  check: codeCheck,
  record(element) {
    const { file, error } = checkstyleError(element);
    return {
      code: error.source,
      message: error.message,
      line: error.line,
      column: error.column,
      file,
      level: error.severity,
    };
  },
};

const FAILURE = /^(?:hadolint:)?(.+?):(\d+):? ((?:DL|SC)\d{4}) (?:(error|warning|info|style|ignore): )?(.*)$/;

/** Lines of `--format tty` and `gnu`. Source: hadolint src/Hadolint/Formatter/TTY.hs and Gnu.hs; the level came with 1.19. */
export const LINES: TextFormat<Failure> = {
  tool: NAME,
  check: codeCheck,
  record(line) {
    const [, file, place, code, level, message] = FAILURE.exec(line) ?? [];
    return code === undefined ? null : { code, message, line: place, column: 1, file, level };
  },
};

/** An issue of Code Climate's format. Source: hadolint src/Hadolint/Formatter/Codeclimate.hs. */
const CodeclimateIssue = Type.Object({
  check_name: Type.String({ pattern: '^(?:DL|SC)\\d{4}$' }),
  location: Type.Object({ path: Type.String() }),
});
/** An issue of SonarQube's generic format. Source: hadolint src/Hadolint/Formatter/SonarQube.hs. */
const SonarIssue = Type.Object({
  engineId: Type.String({ pattern: '^[Hh]adolint$' }),
  ruleId: Type.String({ minLength: 1 }),
  primaryLocation: Type.Object({}),
});
const Issue = Type.Union([CodeclimateIssue, SonarIssue]);
export const issueCheck = recordCheck(Issue);

/** The tool's own levels, by the words that it translates them to. */
const CODECLIMATE: ReadonlyMap<unknown, string> = new Map([
  ['blocker', 'error'],
  ['major', 'warning'],
  ['info', 'info'],
  ['minor', 'style'],
]);
const SONAR: ReadonlyMap<unknown, string> = new Map([
  ['BLOCKER', 'error'],
  ['CRITICAL', 'error'],
  ['MAJOR', 'warning'],
  ['MINOR', 'info'],
  ['INFO', 'style'],
]);

/** An issue of either format as Hadolint's JSON would say it. */
export function failureOf(value: object): Failure {
  const issue = fields(value);
  return issue.check_name === undefined ? sonarFailure(issue) : codeclimateFailure(issue);
}

function codeclimateFailure(issue: Record<string, unknown>): Failure {
  const { path, lines, positions } = fields(issue.location);
  const begin = fields(fields(positions).begin);
  return failure(issue.check_name, {
    message: issue.description,
    line: fields(lines).begin ?? begin.line,
    column: begin.column ?? 1,
    file: path,
    level: CODECLIMATE.get(issue.severity),
  });
}

function sonarFailure(issue: Record<string, unknown>): Failure {
  const { message, filePath, textRange } = fields(issue.primaryLocation);
  const { startLine } = fields(textRange);
  return failure(issue.ruleId, {
    message,
    line: startLine,
    column: 1,
    file: filePath,
    level: SONAR.get(issue.severity),
  });
}

const failure = (code: unknown, rest: object): Failure => ({ code: String(code), ...rest });
