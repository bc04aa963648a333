import { javascript, javascriptLanguage } from '@codemirror/lang-javascript'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import CodeMirror, { EditorView, keymap, Prec } from '@uiw/react-codemirror'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { editorTheme } from '#ui/sql/editor-theme.ts'

export interface CodeError {
  message: string
  /** From 1; null when it is not known. */
  line: number | null
}

export interface CodeEditorProps {
  label: string
  value: string
  /** Must be stable between renders, or the editor is configured again. */
  onChange: (value: string) => void
  /** Ctrl-S */
  onSave: () => void
  isDark: boolean
  error: CodeError | undefined
  /** Offered after a name and a dot. Must be stable between renders. */
  members: Readonly<Record<string, readonly string[]>>
}

const setup = { foldGutter: false }

/** TypeScript. About 150 kB gzipped: import it lazily. Esc, then Tab moves the focus out. */
export function CodeEditor({ label, value, onChange, onSave, isDark, error, members }: CodeEditorProps) {
  const [view, setView] = useState<EditorView>()
  const save = useRef(onSave)
  useLayoutEffect(() => {
    save.current = onSave
  })
  const extensions = useMemo(
    () => [
      editorTheme,
      // The tab index is for what scrolls inside: it must be reachable by keyboard.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      javascript({ typescript: true }),
      javascriptLanguage.data.of({ autocomplete: completionOf(members) }),
      lintGutter(),
      saveKeys(() => save.current()),
    ],
    [label, members],
  )
  useEffect(() => {
    if (view) view.dispatch(setDiagnostics(view.state, error ? [diagnosticOf(view, error)] : []))
  }, [view, error])
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      onCreateEditor={setView}
      extensions={extensions}
      basicSetup={setup}
      theme={isDark ? 'dark' : 'light'}
      height="420px"
    />
  )
}

/** EDIT-3: the whole line; the first one if it is not known. */
function diagnosticOf({ state }: EditorView, { line, message }: CodeError): Diagnostic {
  const { from, to } = state.doc.line(Math.min(Math.max(line ?? 1, 1), state.doc.lines))
  return { from, to, severity: 'error', message }
}

function saveKeys(save: () => void) {
  const run = () => {
    save()
    return true
  }
  return Prec.highest(keymap.of([{ key: 'Mod-s', run, preventDefault: true }]))
}

interface TypedText {
  matchBefore(pattern: RegExp): { from: number; text: string } | null
}

/** EDIT-1: what the API has after `desk.` and the like. */
function completionOf(members: CodeEditorProps['members']) {
  return (context: TypedText) => {
    const typed = context.matchBefore(/\w+\.\w*/)
    const [owner = ''] = typed?.text.split('.') ?? []
    const offered = members[owner]
    if (typed === null || offered === undefined) return null
    return {
      from: typed.from + owner.length + 1,
      options: offered.map((label) => ({ label, type: 'property' })),
    }
  }
}
