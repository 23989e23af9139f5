/** A step or a job that uses something: `- uses: actions/checkout@v4`, also as `{ uses: "…" }`. */
const USES = /^[ \t]*(?:-[ \t]+)?(?:\{.*?)?["']?uses["']?[ \t]*:[ \t]*["']?([^\s"',}#]+)/gm;

/**
 * What a workflow of GitHub Actions or Gitea Actions uses without the whole hash of a commit (actions) or of an image. Its own files belong
 * to its own commit. Read line by line, so that a workflow with an error in it tells what it can.
 */
export function unpinnedActions(workflow: string): string[] {
  return [...workflow.matchAll(USES)]
    .map(([, used = '']) => used)
    .filter((used) => !used.startsWith('./') && !/@[0-9a-f]{40}$|@[0-9a-f]{64}$|@sha256:[0-9a-f]{64}$/.test(used));
}
