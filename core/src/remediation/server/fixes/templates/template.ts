import type { FixFinding, TemplateField } from '../../../model/fix.ts';

/** What an edit is given: the file of the finding, and the values of the template's fields. */
export interface TemplateInput {
  readonly path: string;
  readonly text: string;
  readonly finding: FixFinding;
  readonly values: Readonly<Record<string, string>>;
}

/** An edit that answers certain rules of scanners. */
export interface Template {
  /** `docker.user`. */
  readonly name: string;
  /** What it does, as the title of a pull request: `Run the container as a user without rights`. */
  readonly title: string;
  /** Why, one or two sentences. */
  readonly why: string;
  /** Ids of rules as scanners write them; `ruleKey` says which spellings are the same. */
  readonly rules: readonly string[];
  readonly fields: readonly TemplateField[];
  readonly isBreaking: boolean;
  /** One edit answers all findings of the rule in a file; else those of one place. */
  readonly isWholeFile: boolean;
  /** What is left to a person. */
  readonly remaining: readonly string[];
  /** The new text; the same one where there is nothing to change. @throws CannotFix */
  edit(input: TemplateInput): string;
}

/** Trivy wrote `DS002`, `AVD-DS-0002` and `DS-0002` for one check; other ids differ in case alone. */
export const ruleKey = (ruleId: string): string => {
  const trivy = /^(?:AVD-)?(DS|KSV|AWS|GIT|GCP|AZU)-?0{0,4}(\d{1,4})$/i.exec(ruleId.trim());
  return trivy === null ? ruleId.trim().toLowerCase() : `${trivy[1]}-${trivy[2]}`.toLowerCase();
};

/** A template without fields and without consequences; the rest is given. */
export const template = (
  given: Pick<Template, 'name' | 'title' | 'why' | 'rules' | 'edit'> & Partial<Template>,
): Template => ({ fields: [], isBreaking: false, isWholeFile: false, remaining: [], ...given });
