export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Runs work of the same key one at a time, in order of arrival. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const result = before.then(work, work)
    last.set(key, result)
    return result
  }
}
