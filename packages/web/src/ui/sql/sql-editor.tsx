import { PostgreSQL, SQLite, StandardSQL, sql } from '@codemirror/lang-sql'
import CodeMirror, { EditorView, keymap, Prec } from '@uiw/react-codemirror'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { editorTheme } from './editor-theme.ts'

export interface SqlEditorProps {
  label: string
  value: string
  /** Must be stable between renders, or the editor is configured again. */
  onChange: (value: string) => void
  /** Receives the selected text; undefined if nothing is selected. */
  onRun: (selection: string | undefined) => void
  isDark: boolean
  names: SqlNames
}

/** Names for completion: dialect keywords, tables and known columns. Must be stable between renders. */
export interface SqlNames {
  dialect: SqlDialect
  tables: Readonly<Record<string, readonly string[]>>
}

export type SqlDialect = 'standard' | 'sqlite' | 'postgresql'

const dialects = { standard: StandardSQL, sqlite: SQLite, postgresql: PostgreSQL }
const setup = { foldGutter: false, highlightActiveLine: false, highlightActiveLineGutter: false }

/** About 140 kB gzipped: import it lazily. Esc, then Tab moves the focus out. */
export function SqlEditor({ label, value, onChange, onRun, isDark, names }: SqlEditorProps) {
  const run = useRef(onRun)
  useLayoutEffect(() => {
    run.current = onRun
  })
  const extensions = useMemo(
    () => [
      editorTheme,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.lineWrapping,
      runKeys((selection) => run.current(selection)),
      sql({
        dialect: dialects[names.dialect],
        schema: copyTables(names.tables),
        upperCaseKeywords: true,
        keywordCompletion,
      }),
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

/** Takes precedence over CodeMirror's own Ctrl-Enter, which inserts a line. */
function runKeys(run: (selection: string | undefined) => void) {
  const execute = (view: EditorView) => {
    // Setting the selection closes the completion list.
    view.dispatch({ selection: view.state.selection })
    const { from, to } = view.state.selection.main
    run(from === to ? undefined : view.state.sliceDoc(from, to))
    return true
  }
  return Prec.highest(
    keymap.of([
      { key: 'Ctrl-Enter', run: execute },
      { key: 'Cmd-Enter', run: execute },
    ]),
  )
}

function copyTables(tables: SqlNames['tables']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(tables).map(([table, columns]) => [table, [...columns]]))
}

const COMMON_KEYWORDS = new Set(
  'select from where group by having order limit offset join left inner outer on as and or not in is null like between distinct with insert into values update set delete create table'.split(
    ' ',
  ),
)

/** DB-36: common keywords come before rare ones such as SELF; names of the connection come before both. */
function keywordCompletion(label: string, type: string) {
  return { label, type, boost: COMMON_KEYWORDS.has(label.toLowerCase()) ? -1 : -50 }
}
