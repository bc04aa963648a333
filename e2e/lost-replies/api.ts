import type { APIRequestContext } from '@playwright/test'

/** Our server's API, beside the browser: prepares what a command acts on, and counts what it did. */
export class Api {
  readonly #request: APIRequestContext
  readonly #origin: string

  constructor(request: APIRequestContext, origin: string) {
    this.#request = request
    this.#origin = origin
  }

  async get(path: string) {
    return (await this.#request.get(this.#origin + path)).json()
  }

  /** Fails on a refusal: what is prepared must be there. */
  async post(path: string, data: object = {}) {
    const reply = await this.#request.post(this.#origin + path, { data })
    if (!reply.ok()) throw new Error(`POST ${path}: ${reply.status()} ${await reply.text()}`)
    return reply.json()
  }

  async put(path: string, data: object) {
    const reply = await this.#request.put(this.#origin + path, { data })
    if (!reply.ok()) throw new Error(`PUT ${path}: ${reply.status()} ${await reply.text()}`)
    return reply.json()
  }

  async countListed(path: string, list: string, isCounted: (entry: Entry) => boolean): Promise<number> {
    const entries: Entry[] = (await this.get(path))[list]
    return entries.filter(isCounted).length
  }
}

export type Entry = Record<string, unknown>

let last = 0

/** A number that no other subject of this worker has. */
export function nextNumber(): number {
  last += 1
  return last
}
