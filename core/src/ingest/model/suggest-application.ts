// no text in this file: names of files
/** Parts of file names that say what made or holds a report, and nothing of what was scanned. */
const NOT_A_NAME =
  /^(?:reports?|results?|scans?|output|findings?|export|sbom|bom|json|jsonl|sarif|xml|csv|html|txt|cdx|spdx|cyclonedx|gz|zip|latest|main|master|full|all|vulnerabilities|dependency|check|owasp|secrets?|sast|sca|dast|iac|image|container|\d+(?:\.\d+)*)$/;

const wordsOf = (fileName: string): string[] =>
  fileName
    .toLowerCase()
    .split(/[^a-z\d.]+|\.(?=[a-z])/)
    .filter((word) => word !== '');

/**
 * A name for the application that reports are of, by what their names have in common beside the words of tools and formats; undefined
 * where they say nothing. `juice-shop-grype.json` and `juice-shop.sarif` are of `juice-shop`. Pure.
 * @param tools ids of the tools that may stand in a name
 */
export const suggestApplication = (fileNames: readonly string[], tools: readonly string[]): string | undefined => {
  const toolWords = new Set(tools.flatMap(wordsOf));
  const told = fileNames.map((name) => wordsOf(name).filter((word) => !NOT_A_NAME.test(word) && !toolWords.has(word)));
  const [first, ...others] = told.filter((words) => words.length > 0);
  if (first === undefined) return undefined;
  const common = first.filter((word) => others.every((words) => words.includes(word)));
  const name = common.join('-');
  return name.length < 2 ? undefined : name;
};
