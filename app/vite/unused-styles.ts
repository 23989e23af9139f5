import postcss from 'postcss';
import type { Plugin } from 'vite';

const SHEET = /@blueprintjs\/core\/lib\/css\/blueprint\.css/;

/**
 * What of Blueprint nobody here uses: part of a module's path, and how the classes of its rules begin. Its sheet has a rule for each of them
 * and is what a page waits for longest. The build fails where one is used after all.
 */
export const UNUSED: Readonly<Record<string, readonly string[]>> = {
  'alert/': ['alert'],
  'breadcrumbs/': ['breadcrumb', 'breadcrumbs'],
  'button/buttonGroup': ['button-group'],
  'card-list/': ['card-list'],
  'collapse/': ['collapse'],
  'dialog/multistepDialog': ['multistep-dialog', 'dialog-step'],
  'divider/': ['divider'],
  'editable-text/': ['editable-text'],
  'entity-title/': ['entity-title'],
  'forms/controlGroup': ['control-group'],
  'forms/fileInput': ['file-input', 'file-upload-input'],
  'forms/numericInput': ['numeric-input'],
  'link/': ['link'],
  'navbar/': ['navbar'],
  'non-ideal-state/': ['non-ideal-state'],
  'overflow-list/': ['overflow-list'],
  'panel-stack/': ['panel-stack'],
  'section/': ['section'],
  'tag/compoundTag': ['compound-tag'],
  'tag-input/': ['tag-input'],
  'toast/': ['toast'],
  'tooltip/': ['tooltip'],
  'tree/': ['tree'],
  // without a component: for markup that sets the classes itself
  'html/runningText': ['running-text', 'select', 'popover-wrapper'],
};

const DROPPED = new RegExp(`\\.bp6-(?:${Object.values(UNUSED).flat().join('|')})(?![a-z])`);
/** Icons by name, as text of a font that is not loaded. */
const NAMED_ICON = /\.bp6-icon-[\w-]+::?before/;
const INNERMOST_NOT = /:not\([^()]*\)/g;

/** A selector that nothing here can match. What it excludes says nothing of that. */
export const isUnused = (selector: string): boolean => {
  let matched = selector;
  for (let before = ''; before !== matched; ) {
    before = matched;
    matched = matched.replaceAll(INNERMOST_NOT, '');
  }
  return DROPPED.test(matched) || NAMED_ICON.test(matched);
};

/** The sheet without the rules that nothing here can match. */
export const withoutUnused = (css: string): string => {
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => !isUnused(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
  root.walkAtRules((atRule) => {
    if (atRule.nodes?.length === 0) atRule.remove();
  });
  return root.toString();
};

/** Parts of `UNUSED` that are among these modules, or whose classes this code names. */
export const usedAfterAll = (modules: readonly string[], code: string): string[] =>
  Object.entries(UNUSED)
    .filter(
      ([part, classes]) =>
        modules.some((id) => id.includes(`/@blueprintjs/core/lib/esm/components/${part}`)) ||
        classes.some((name) => new RegExp(`bp6-${name}(?![a-z])`).test(code)),
    )
    .map(([part]) => part);

/** Leaves rules of components that nobody uses out of Blueprint's sheet. */
export const withoutUnusedStyles = (): Plugin => ({
  name: 'breakwater:unused-styles',
  apply: 'build',
  enforce: 'pre',
  transform: { filter: { id: SHEET }, handler: (code) => ({ code: withoutUnused(code), map: null }) },
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const modules = chunks.flatMap((chunk) =>
      Object.entries(chunk.modules)
        .filter(([, { renderedLength }]) => renderedLength > 0)
        .map(([id]) => id),
    );
    const used = usedAfterAll(modules, chunks.map((chunk) => chunk.code).join('\n'));
    if (used.length > 0)
      this.error(
        `These parts of Blueprint are used: ${used.join(', ')}. Take them out of UNUSED in app/vite/unused-styles.ts.`,
      );
  },
});
