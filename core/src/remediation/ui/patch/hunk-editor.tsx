import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { getChunks, MergeView, unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  EditorView,
  GutterMarker,
  gutter,
  highlightSpecialChars,
  highlightWhitespace,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { t } from '../../../platform/ui/language/translate.ts';
import { editorTheme } from './editor-theme.ts';

/** What stands before a changed line: told by its sign, not by colour alone. */
class SignMarker extends GutterMarker {
  readonly #sign: string;
  override readonly elementClass: string;

  constructor(sign: '+' | '−') {
    super();
    this.#sign = sign;
    this.elementClass = sign === '+' ? 'is-added' : 'is-removed';
  }

  override toDOM(): Node {
    return document.createTextNode(this.#sign);
  }
}

const ADDED = new SignMarker('+');
const REMOVED = new SignMarker('−');

const chunksOf = (view: EditorView) => getChunks(view.state)?.chunks ?? [];

/** Signs of the lines that changed on one side. */
const signGutter = (side: 'a' | 'b'): Extension =>
  gutter({
    class: 'cm-sign',
    lineMarker: (view, { from }) => {
      const isChanged = chunksOf(view).some((chunk) =>
        side === 'a' ? from >= chunk.fromA && from < chunk.toA : from >= chunk.fromB && from < chunk.toB,
      );
      return isChanged ? (side === 'a' ? REMOVED : ADDED) : null;
    },
    // removed lines stand above a change; there is an empty place for them where lines are only added
    widgetMarker: (view, _, { from }) =>
      side === 'b' && chunksOf(view).some((chunk) => chunk.fromB === from && chunk.fromA < chunk.toA) ? REMOVED : null,
    lineMarkerChange: () => true,
  });

interface EditorOptions {
  label: string;
  firstLine: number;
  side: 'a' | 'b';
  isReadOnly: boolean;
}

const extensionsOf = ({ label, firstLine, side, isReadOnly }: EditorOptions): Extension[] => [
  lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) }),
  signGutter(side),
  highlightSpecialChars(),
  EditorView.lineWrapping,
  EditorState.lineSeparator.of('\n'),
  EditorState.tabSize.of(2),
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly ? { 'aria-readonly': 'true' } : {}) }),
  editorTheme,
  ...(isReadOnly ? [] : [history(), keymap.of([...defaultKeymap, ...historyKeymap])]),
];

export interface HunkEditorProps {
  /** Path of the file, for the names of both sides. */
  path: string;
  before: string;
  /** Text that the editor begins with; what is typed comes by `onChange`. */
  after: string;
  /** 1-based, before the change and after it. */
  firstLine: number;
  firstNewLine: number;
  isSideBySide: boolean;
  isWhitespaceShown: boolean;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

interface Mounted {
  views: readonly EditorView[];
  destroy: () => void;
}

const mount = (parent: HTMLElement, props: HunkEditorProps, extra: Extension, report: Extension): Mounted => {
  const { path, before, after, firstLine, firstNewLine, isSideBySide, isReadOnly } = props;
  const changed = extensionsOf({
    label: t('{path} after the patch', { path }),
    firstLine: firstNewLine,
    side: 'b',
    isReadOnly,
  });
  if (isSideBySide) {
    const original = extensionsOf({ label: t('{path} now', { path }), firstLine, side: 'a', isReadOnly: true });
    const merge = new MergeView({
      parent,
      a: { doc: before, extensions: [original, extra] },
      b: { doc: after, extensions: [changed, extra, report] },
      gutter: false,
    });
    return { views: [merge.a, merge.b], destroy: () => merge.destroy() };
  }
  const unified = unifiedMergeView({ original: before, mergeControls: false, gutter: false });
  const state = EditorState.create({
    doc: after,
    extensions: [changed, unified, EditorView.editorAttributes.of({ class: 'cm-merge-b' }), extra, report],
  });
  const view = new EditorView({ parent, state });
  return { views: [view], destroy: () => view.destroy() };
};

/** One hunk, before and after the change, which is edited in place; differences are marked while somebody types. */
export function HunkEditor(props: HunkEditorProps) {
  const { isSideBySide, isWhitespaceShown, isReadOnly } = props;
  const parent = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted>(undefined);
  const whitespace = useRef(new Compartment());
  const now = useRef(props);
  now.current = props;
  // the text of the first moment and the way it is shown make an editor; what is typed afterwards lives in it
  useEffect(() => {
    if (parent.current === null) return undefined;
    const report = EditorView.updateListener.of((update) => {
      if (update.docChanged) now.current.onChange(update.state.doc.toString());
    });
    const shown = whitespace.current.of(now.current.isWhitespaceShown ? highlightWhitespace() : []);
    const editor = mount(parent.current, { ...now.current, isSideBySide, isReadOnly }, shown, report);
    mounted.current = editor;
    return () => {
      mounted.current = undefined;
      editor.destroy();
    };
  }, [isSideBySide, isReadOnly]);
  useEffect(() => {
    const effects = whitespace.current.reconfigure(isWhitespaceShown ? highlightWhitespace() : []);
    for (const view of mounted.current?.views ?? []) view.dispatch({ effects });
  }, [isWhitespaceShown]);
  return <div className="hunk-editor" ref={parent} />;
}
