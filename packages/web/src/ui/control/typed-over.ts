import { useState } from 'react'

type Texts<Name extends string> = Readonly<Record<Name, string>>

interface Typed {
  text: string
  /** What stood in the field when the person began. */
  over: string
}

/** RISK-29, STRAT-21: what is typed stays, and every other field follows what is stored. */
export function useTypedOver<Name extends string>(stored: Texts<Name>) {
  const [typed, setTyped] = useState<ReadonlyMap<Name, Typed>>(new Map())
  const typedTexts = Object.fromEntries([...typed].map(([name, { text }]) => [name, text]))
  const texts: Texts<Name> = { ...stored, ...typedTexts }
  return {
    texts,
    type: (next: Texts<Name>) => setTyped(withTyped(typed, texts, next)),
    /** Says what became of a setting that the person is changing too. */
    noteOn: (name: Name, format: (text: string) => string = String): string | undefined =>
      isChanged(typed.get(name), stored[name]) ? changedNote(format(stored[name])) : undefined,
  }
}

function withTyped<Name extends string>(
  typed: ReadonlyMap<Name, Typed>,
  shown: Texts<Name>,
  next: Texts<Name>,
): ReadonlyMap<Name, Typed> {
  const all = new Map(typed)
  for (const name in next) {
    if (next[name] !== shown[name]) {
      all.set(name, { text: next[name], over: typed.get(name)?.over ?? shown[name] })
    }
  }
  return all
}

function isChanged(typed: Typed | undefined, now: string): boolean {
  return typed !== undefined && now !== typed.over && now !== typed.text
}

function changedNote(now: string): string {
  return `Now ${now}, changed meanwhile`
}
