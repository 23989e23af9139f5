import { EditorView } from '@codemirror/view';

/** Colours and measures of our tokens: they follow light and dark by themselves. */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--bw-text)', backgroundColor: 'var(--bw-surface)', font: 'var(--bw-t-code)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    ...{ content: '""', position: 'absolute', inset: '0', zIndex: '10' },
    ...{ border: '2px solid var(--bw-focus)', pointerEvents: 'none' },
  },
  '.cm-scroller': { font: 'var(--bw-t-code)', lineHeight: '20px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '0', caretColor: 'var(--bw-text)' },
  '.cm-line': { padding: '0 10px 0 6px' },
  '.cm-gutters': { backgroundColor: 'var(--bw-surface)', color: 'var(--bw-muted)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px', padding: '0 8px' },
  '.cm-sign': { width: '16px', textAlign: 'center' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bw-del)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--bw-add)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'var(--bw-del-word) !important' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--bw-add-word) !important' },
  '.cm-deletedChunk': { paddingLeft: '0' },
  '.cm-deletedChunk .cm-deletedLine': { padding: '0 10px 0 6px', position: 'relative', display: 'block' },
  '.cm-gutterElement.is-added': { backgroundColor: 'var(--bw-add-gutter)', color: 'var(--bw-add-text)' },
  '.cm-gutterElement.is-removed': { backgroundColor: 'var(--bw-del-gutter)', color: 'var(--bw-del-text)' },
  '.cm-mergeSpacer': { backgroundColor: 'var(--bw-surface-2)' },
  '.cm-specialChar': { color: 'var(--bw-bad-text)', fontWeight: '600' },
  '.cm-highlightSpace': { backgroundImage: 'radial-gradient(circle at 50% 55%, var(--bw-muted) 12%, transparent 14%)' },
});
