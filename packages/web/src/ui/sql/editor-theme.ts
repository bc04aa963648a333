import { EditorView, Prec } from '@uiw/react-codemirror'

/** Overrides CodeMirror's theme with our CSS variables; only its syntax colours remain. */
export const editorTheme = Prec.highest(
  EditorView.theme({
    '&': {
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius)',
      backgroundColor: 'var(--surface)',
      color: 'var(--ink)',
      fontSize: '13px',
    },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    // The minimum height of the editor, so that a click anywhere focuses the text.
    '.cm-content': { minHeight: '118px', caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': {
      border: '0',
      borderRadius: 'var(--radius) 0 0 var(--radius)',
      backgroundColor: 'var(--sunken)',
      color: 'var(--dim)',
    },
    // CodeMirror gives the gutters the height of the text, which may be less.
    '.cm-gutter': { minHeight: '118px' },
    '.cm-placeholder': { color: 'var(--dim)' },
    '.cm-tooltip': {
      border: '1px solid var(--line-strong)',
      backgroundColor: 'var(--surface)',
      color: 'var(--ink)',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--accent)',
      color: 'var(--accent-ink)',
    },
    // The icons need fonts that not every machine has.
    '.cm-completionIcon': { display: 'none' },
    '.cm-completionDetail': { color: 'inherit' },
    '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  }),
)
