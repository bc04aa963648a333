import { useState } from 'react'

type Texts<Name extends string> = Readonly<Record<Name, string>>

interface Edit {
  text: string
  /** The stored text when the user began to edit the field. */
  base: string
}

/** RISK-29, STRAT-21: edited fields keep the typed text; all others follow the stored values. */
export function useDraft<Name extends string>(stored: Texts<Name>) {
  const [edits, setEdits] = useState<ReadonlyMap<Name, Edit>>(new Map())
  const editedTexts = Object.fromEntries([...edits].map(([name, { text }]) => [name, text]))
  const edited: ReadonlySet<Name> = new Set(edits.keys())
  const texts: Texts<Name> = { ...stored, ...editedTexts }
  return {
    texts,
    edited,
    /** Whether a field differs from what is stored. */
    isChanged: [...edits].some(([name, { text }]) => text !== stored[name]),
    edit: (next: Texts<Name>) => setEdits(withEdits(edits, texts, next)),
    /** These fields follow the stored values again. */
    discard: (names: readonly Name[]) =>
      setEdits((current) => new Map([...current].filter(([name]) => !names.includes(name)))),
    /** The stored value of an edited field that was changed meanwhile by someone else. */
    conflictNote: (name: Name, format: (text: string) => string = String): string | undefined =>
      isConflict(edits.get(name), stored[name])
        ? `Now ${format(stored[name])}, changed meanwhile`
        : undefined,
  }
}

function withEdits<Name extends string>(
  edits: ReadonlyMap<Name, Edit>,
  current: Texts<Name>,
  next: Texts<Name>,
): ReadonlyMap<Name, Edit> {
  const all = new Map(edits)
  for (const name in next) {
    if (next[name] !== current[name]) {
      all.set(name, { text: next[name], base: edits.get(name)?.base ?? current[name] })
    }
  }
  return all
}

function isConflict(edit: Edit | undefined, stored: string): boolean {
  return edit !== undefined && stored !== edit.base && stored !== edit.text
}
