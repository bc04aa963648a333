import { type BrowserContext, type ConsoleMessage, expect } from '@playwright/test'

export interface WatchOptions {
  /** Requests to any other origin are complaints. */
  origins: string[]
  /** Whether the browser's own message about a failed request is expected. */
  isKnownFailure: (url: string) => boolean
}

const LOST_STREAM =
  /^WebSocket connection to '[^']+\/api\/stream' failed: .*net::ERR_(CONNECTION_|INTERNET_DISCONNECTED)/

/** Records page errors, console errors and requests to other origins; those not allowed fail the test. */
export class BrowserWatch {
  readonly #errors: string[] = []
  readonly #strays: string[] = []
  readonly #allowed: RegExp[] = []
  readonly #origins: Set<string>
  readonly #isKnownFailure: WatchOptions['isKnownFailure']

  constructor(context: BrowserContext, { origins, isKnownFailure }: WatchOptions) {
    this.#origins = new Set(origins)
    this.#isKnownFailure = isKnownFailure
    context.on('console', (message) => this.#onConsole(message))
    context.on('weberror', (error) => this.#errors.push(`page error: ${error.error().stack}`))
    context.on('request', (request) => this.#onRequest(request.url()))
  }

  /** Errors with such a text are expected: 'failures are only logged' shows here. */
  allowErrors(pattern: RegExp): void {
    this.#allowed.push(pattern)
  }

  allowOrigin(origin: string): void {
    this.#origins.add(origin)
  }

  /** Every error so far, the allowed ones included. */
  errors(): string[] {
    return [...this.#errors]
  }

  complaints(): string[] {
    const isAllowed = (error: string): boolean => this.#allowed.some((pattern) => pattern.test(error))
    return [...this.#errors.filter((error) => !isAllowed(error)), ...this.#strays]
  }

  #onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error') return
    const { url } = message.location()
    const isNetworkLine = message.text().startsWith('Failed to load resource')
    if (isNetworkLine && this.#isKnownFailure(url)) return
    // The stream connects again by itself once the server is back.
    if (LOST_STREAM.test(message.text())) return
    this.#errors.push(`console error: ${message.text()} (${url})`)
  }

  #onRequest(url: string): void {
    const { protocol, origin } = new URL(url)
    const isNetwork = protocol !== 'data:' && protocol !== 'blob:'
    if (isNetwork && !this.#origins.has(origin)) this.#strays.push(`request to another host: ${url}`)
  }
}

/** Watches a test and fails it on what it may not do. */
export async function watchTest(
  context: BrowserContext,
  options: WatchOptions,
  use: (watch: BrowserWatch) => Promise<void>,
): Promise<void> {
  const watch = new BrowserWatch(context, options)
  await use(watch)
  const complaints = watch.complaints()
  await endRoutes(context)
  await closeClockPages(context)
  expect(complaints, 'page errors, console errors and stray requests').toEqual([])
}

/** Ends the test's routes. A poll may be inside of one, and would fail the test that has ended. */
async function endRoutes(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
}

/**
 * A page whose time was replaced is not used again: its context was once reset with a part of Playwright's clock left in
 * it, which failed in the page of the next test.
 */
async function closeClockPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const hasClock = await page.evaluate(() => '__pwClock' in globalThis).catch(() => false)
    if (hasClock) await page.close()
  }
}
