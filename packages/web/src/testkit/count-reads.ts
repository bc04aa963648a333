import { onTestFinished } from 'vitest'

/**
 * Counts how often a text is read, which is how often the component that shows it renders. A mocked module would not do: files
 * share their modules, and another file may have loaded the component before.
 */
export function countReads<Texts extends object>(texts: Texts, name: keyof Texts): () => number {
  const value = texts[name]
  let reads = 0
  const count = () => {
    reads += 1
    return value
  }
  Object.defineProperty(texts, name, { configurable: true, enumerable: true, get: count })
  onTestFinished(() => {
    Object.defineProperty(texts, name, { configurable: true, enumerable: true, writable: true, value })
  })
  return () => reads
}
