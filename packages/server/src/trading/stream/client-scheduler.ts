/** Clients that are served in one turn: 200 writes take about 3 ms, and a request must not wait behind all of them. */
const MAX_CLIENTS_PER_TURN = 20

/** Serves all clients, some in each turn of the event loop, so that requests are answered in between (STREAM-55). */
export class ClientScheduler<Client> {
  readonly #clients: ReadonlySet<Client>
  readonly #serve: (client: Client) => void
  readonly #waiting = new Set<Client>()
  /** Whether clients that were served in this round are served once more. */
  #isNextDue = false
  #isScheduled = false

  constructor(clients: ReadonlySet<Client>, serve: (client: Client) => void) {
    this.#clients = clients
    this.#serve = serve
  }

  /** Serves all clients from the end of this turn on; after the round that is under way. */
  request(): void {
    this.#isNextDue = true
    this.#schedule()
  }

  /** Serves the first clients at once. */
  start(): void {
    this.#isNextDue = true
    this.#serveSome()
  }

  remove(client: Client): void {
    this.#waiting.delete(client)
  }

  #serveSome(): void {
    if (this.#waiting.size === 0 && this.#isNextDue) this.#fill()
    let served = 0
    for (const client of this.#waiting) {
      if (served === MAX_CLIENTS_PER_TURN) break
      this.#waiting.delete(client)
      this.#serve(client)
      served += 1
    }
    if (this.#waiting.size > 0 || this.#isNextDue) this.#schedule()
  }

  #fill(): void {
    this.#isNextDue = false
    for (const client of this.#clients) this.#waiting.add(client)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#serveSome()
    })
  }
}
