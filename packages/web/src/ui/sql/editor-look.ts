import { EditorView, Prec } from '@uiw/react-codemirror'

/** Ahead of the editor's own theme; the tokens make it follow ours. Only the colours of the words stay its own. */
export const editorLook = Prec.highest(
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
    // As high as the editor at its lowest, so that a click anywhere in it finds the text.
    '.cm-content': { minHeight: '118px', caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': {
      // CodeMirror measures the text only and writes that height on the element itself.
      minHeight: '118px !important',
      border: '0',
      borderRadius: 'var(--radius) 0 0 var(--radius)',
      backgroundColor: 'var(--sunken)',
      color: 'var(--dim)',
    },
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
    // Its signs come from fonts that not every machine has.
    '.cm-completionIcon': { display: 'none' },
    '.cm-completionDetail': { color: 'inherit' },
    '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  }),
)
