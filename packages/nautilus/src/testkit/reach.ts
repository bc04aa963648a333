import type { NodeClient } from '#node-client.ts'

/** Resolves as soon as the claim holds; it is checked after every change of the client. */
export function reach(client: NodeClient, claim: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (claim()) return resolve()
    const stop = client.onChange(() => {
      if (!claim()) return
      stop()
      resolve()
    })
  })
}
