import { isRefusal } from './failure.ts'

interface Attempt {
  request: unknown
  /** Ids of the entries that equalled the request before it was sent. */
  listedBefore: readonly string[]
}

interface Unanswered {
  key: string
  /** Sent under this key; the server carries out at most one of them. */
  attempts: readonly Attempt[]
}

/** Ids of the listed entries that equal the request. */
export type FindListed = (request: unknown) => readonly string[]

/**
 * The idempotency keys of one command. A lost reply looks like a lost request, so the key is kept, also over a reload
 * of the page, until a reply, a refusal or the list shows what became of the request.
 */
export class IdempotencyKeys {
  readonly #storageKey: string

  constructor(command: string) {
    this.#storageKey = `binnacle.unanswered.${command}`
  }

  async send<Reply>(
    request: unknown,
    findListed: FindListed,
    sendWith: (key: string) => Promise<Reply>,
  ): Promise<Reply> {
    const { key, attempts } = this.#read() ?? { key: createKey(), attempts: [] }
    this.#write({ key, attempts: [...attempts, { request, listedBefore: findListed(request) }] })
    try {
      const reply = await sendWith(key)
      this.#write(undefined)
      return reply
    } catch (error) {
      if (isRefusal(error)) this.#write(undefined)
      throw error
    }
  }

  readonly isUnanswered = (): boolean => this.#read() !== undefined

  /** ORD-32: the request took effect if the list has an entry like it that was not there before. */
  settleIfListed(findListed: FindListed): void {
    const attempts = this.#read()?.attempts ?? []
    const isListed = attempts.some(({ request, listedBefore }) =>
      findListed(request).some((id) => !listedBefore.includes(id)),
    )
    if (isListed) this.#write(undefined)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #read(): Unanswered | undefined {
    const text = readStored(this.#storageKey)
    // Only #write stores under this key.
    return text === null ? undefined : (JSON.parse(text) as Unanswered)
  }

  #write(unanswered: Unanswered | undefined): void {
    writeStored(this.#storageKey, unanswered && JSON.stringify(unanswered))
    for (const listener of listeners) listener()
  }
}

const listeners = new Set<() => void>()

/** Replaces session storage where it is forbidden. */
const memory = new Map<string, string>()

function readStored(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

function writeStored(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    if (text === undefined) memory.delete(key)
    else memory.set(key, text)
  }
}

/** Not crypto.randomUUID, which exists only in secure contexts. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
