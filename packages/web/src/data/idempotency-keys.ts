import { isEngineUnknown, isKeyTooOld, isKeyUsed, isRefusal } from './failure.ts'
import { createRandomId } from './random-id.ts'
import { chosenEngine } from './transport/chosen-engine.ts'

interface Attempt {
  request: unknown
  /** Ids of the entries that equalled the request before it was sent. */
  listedBefore: readonly string[]
  /** Missing in what an earlier version of the console stored. */
  sentAtMs?: number
  /** The server answered that it does not know the outcome, so the request is no longer under way. */
  isAnswered?: boolean
}

interface StoredKey {
  key: string
  /** Of the last attempt. */
  sentAtMs: number
  /** Sent under this key and compared with the list; the server carries out at most one of them. */
  attempts: readonly Attempt[]
}

/** Ids of the listed entries that equal the request and may come from one that was sent then. */
export type FindListed = (request: unknown, sentAtMs: number) => readonly string[]

/**
 * The idempotency keys of one command. A lost reply looks like a lost request, so the key is kept, also over a reload
 * of the page, until a reply, a refusal or the list shows what became of the request.
 */
export class IdempotencyKeyStore {
  readonly #storageKey: string
  readonly #findListed: FindListed | undefined

  /** Without a list that shows its outcome, a request counts as unanswered for a limited time only. */
  constructor(command: string, findListed: FindListed | undefined) {
    const engine = chosenEngine()
    this.#storageKey = `binnacle.unanswered.${engine === undefined ? '' : `${engine}/`}${command}`
    this.#findListed = findListed
  }

  async send<Reply>(request: unknown, sendWith: (key: string) => Promise<Reply>): Promise<Reply> {
    const earlier = this.#read()
    const { key, attempts } = earlier ?? { key: createRandomId(), attempts: [] }
    const sentAtMs = Date.now()
    const attempt = this.#findListed && {
      request,
      listedBefore: this.#findListed(request, sentAtMs),
      sentAtMs,
    }
    this.#write({ key, sentAtMs, attempts: attempt ? [...attempts, attempt] : attempts })
    try {
      const reply = await sendWith(key)
      this.#write(undefined)
      return reply
    } catch (error) {
      // ORD-552: the engine refuses some requests before it looks for their key.
      if (isRefusal(error)) this.#write(isKeyUsed(error) || isKeyTooOld(error) ? undefined : earlier)
      else if (attempt && isEngineUnknown(error))
        this.#write({ key, sentAtMs, attempts: [...attempts, { ...attempt, isAnswered: true }] })
      throw error
    }
  }

  readonly isUnanswered = (): boolean => this.#read() !== undefined

  /** At most one of them is carried out. */
  requests(): readonly unknown[] {
    return this.#read()?.attempts.map(({ request }) => request) ?? []
  }

  /** ORD-32: the request took effect if the list has an entry like it that was not there before. */
  settleIfListed(): void {
    const attempts = this.#read()?.attempts ?? []
    const isListed = attempts.some(({ request, listedBefore, sentAtMs = 0 }) =>
      this.#findListed?.(request, sentAtMs).some((id) => !listedBefore.includes(id)),
    )
    if (isListed) this.#write(undefined)
  }

  /**
   * ORD-550: the server says whether the key's outcome is final. It is not asked while a request may still be under way,
   * and its answer does not count if the key was sent once more meanwhile.
   */
  async settleByServer(checkKeySettled: (key: string) => Promise<boolean>): Promise<void> {
    const asked = this.#read()
    if (
      asked === undefined ||
      !asked.attempts.every(isNoLongerInFlight) ||
      !(await checkKeySettled(asked.key))
    )
      return
    const now = this.#read()
    if (now?.key === asked.key && now.attempts.length === asked.attempts.length) this.#write(undefined)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #read(): StoredKey | undefined {
    const text = readStored(this.#storageKey)
    if (text === null) return undefined
    // Only #write stores under this key.
    const unanswered = JSON.parse(text) as StoredKey
    const isExpired = !this.#findListed && Date.now() - unanswered.sentAtMs > UNLISTED_KEY_TTL_MS
    return isExpired ? undefined : unanswered
  }

  #write(unanswered: StoredKey | undefined): void {
    writeStored(this.#storageKey, unanswered && JSON.stringify(unanswered))
    for (const listener of listeners) listener()
  }
}

/** CLIENT-19: pressed later than this, it is meant as a new command. */
const UNLISTED_KEY_TTL_MS = 10 * 60_000

function isNoLongerInFlight({ isAnswered = false, sentAtMs = 0 }: Attempt): boolean {
  return isAnswered || Date.now() - sentAtMs > UNLISTED_KEY_TTL_MS
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

/** Distinguishes requests; not cryptographic. */
export function hashText(text: string): string {
  let high = 0x811c9dc5
  let low = 0x1b873593
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
  }
  return `${(high >>> 0).toString(16)}-${(low >>> 0).toString(16)}`
}
