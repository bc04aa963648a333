import { PostgreSQL, SQLite, StandardSQL, sql } from '@codemirror/lang-sql'
import CodeMirror, { EditorView, keymap, Prec } from '@uiw/react-codemirror'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { editorLook } from './editor-look.ts'

export interface SqlEditorProps {
  label: string
  value: string
  /** Must keep its identity between renders, or the editor is set up anew. */
  onChange: (value: string) => void
  onRun: () => void
  isDark: boolean
  names: SqlNames
}

/** What is completed: the words of a dialect, and the tables with such columns as are known. Keep its identity. */
export interface SqlNames {
  dialect: SqlDialect
  tables: Readonly<Record<string, readonly string[]>>
}

export type SqlDialect = 'standard' | 'sqlite' | 'postgresql'

const dialects = { standard: StandardSQL, sqlite: SQLite, postgresql: PostgreSQL }
const setup = { foldGutter: false, highlightActiveLine: false, highlightActiveLineGutter: false }

/** Heavy: import it lazily. Esc, then Tab leaves it, as CodeMirror has it. */
export function SqlEditor({ label, value, onChange, onRun, isDark, names }: SqlEditorProps) {
  const run = useRef(onRun)
  useLayoutEffect(() => {
    run.current = onRun
  })
  const extensions = useMemo(
    () => [
      editorLook,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.lineWrapping,
      runKeys(() => run.current()),
      sql({ dialect: dialects[names.dialect], schema: mutable(names.tables), upperCaseKeywords: true }),
    ],
    [label, names],
  )
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      extensions={extensions}
      basicSetup={setup}
      theme={isDark ? 'dark' : 'light'}
      minHeight="120px"
      maxHeight="320px"
    />
  )
}

/** Before CodeMirror's own keys, of which Ctrl-Enter would open a line. */
function runKeys(run: () => void) {
  const act = (view: EditorView) => {
    // Closes the list of completions, which a moved cursor does.
    view.dispatch({ selection: view.state.selection })
    run()
    return true
  }
  return Prec.highest(
    keymap.of([
      { key: 'Ctrl-Enter', run: act },
      { key: 'Cmd-Enter', run: act },
    ]),
  )
}

function mutable(tables: SqlNames['tables']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(tables).map(([table, columns]) => [table, [...columns]]))
}
