import type { ReportCoverage } from '@breakwater/sdk';
import { partOf } from './coverage.ts';
import { oneLine } from './text.ts';

/**
 * How linters write their name into the rule of a checkstyle report. Sources: checkstyle's XMLLogger, eslint-formatter-checkstyle,
 * stylelint-checkstyle-formatter, PHP_CodeSniffer's Checkstyle report (standard, category, sniff, code), SwiftLint's CheckstyleReporter,
 * detekt's xml report, jshint's checkstyle reporter, tslint's checkstyle formatter, scalastyle's XmlOutput. Others write the bare rule.
 */
const LINTER_OF_RULE: readonly (readonly [linter: string, rule: RegExp])[] = [
  ['checkstyle', /^com\.puppycrawl\.tools\.checkstyle\./],
  ['scalastyle', /^org\.scalastyle\./],
  ['eslint', /^eslint\.rules\./],
  ['stylelint', /^stylelint\.rules\./],
  ['swiftlint', /^swiftlint\.rules\./],
  ['tslint', /^failure\.tslint\./],
  ['jshint', /^jshint\./],
  ['detekt', /^detekt\./],
  ['php_codesniffer', /^[A-Z]\w{0,99}(?:\.[A-Z]\w{0,99}){3}$/],
];

/** The linter that a rule names, in lower case; undefined where the rule does not say. */
export const linterOfRule = (rule: string | undefined): string | undefined =>
  rule === undefined ? undefined : LINTER_OF_RULE.find(([, pattern]) => pattern.test(rule))?.[0];

/**
 * The linter behind a report of a format that many write, as its part: reports of two of them close nothing of each other. Said only where
 * all results that name one name the same: a linter without results would be missing from the next report, which would then be about
 * another part.
 */
export class OnlyLinter {
  private readonly named = new Set<string>();

  /** @param linter of a result, where it says */
  see(linter: string | undefined): void {
    if (linter !== undefined && this.named.size < 2) this.named.add(oneLine(linter).toLowerCase());
  }

  *part(): Generator<ReportCoverage> {
    const [linter] = this.named;
    if (this.named.size === 1) yield* partOf({ linter });
  }
}
